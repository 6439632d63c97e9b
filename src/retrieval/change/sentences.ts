import { unpackSentences } from '../../backends/embedding/int8.js';
import type { GraphNode } from '../../core/model.js';
import type { Word } from '../../core/text/words.js';
import { asksTime, temporalExpressions } from '../dates/dates.js';
import { dot } from '../dot.js';
import { coverage, type ItemTexts } from '../expand/item-words.js';
import type { Question } from '../seed/question.js';
import { asksAmount, proposes, saysDocumentChange } from './change-words.js';
import { type Content, contentsOf, nearerThanUsual, shared, WORDS_ALONE } from './likeness.js';

/** What a letter or minutes open with, which tells of them alone. */
const HEADER =
  /^\W*(?:(?:date|datum|present|anwesend|apologies|entschuldigt|attendees|participants|teilnehmer|to|from|subject|an|von|betreff)\s*:|(?:dear|liebe[rs]?|hello|hallo)\s)/iu;

/** Content word → the content words before it. */
type Pairs = ReadonlyMap<string, ReadonlySet<string>>;

/** A sentence of a passage with the heading that it stands under. */
export interface Sentence extends Content {
  readonly node: GraphNode;
  readonly text: string;
  readonly pairs: Pairs;
  /** Whether it says that something changes. */
  readonly isNews: boolean;
  /** False where it proposes or rejects something. */
  readonly isOpen: boolean;
  /** Undefined without a model. */
  readonly vector: Float32Array | undefined;
  /** How well it matches the question: idf share of its words, plus cosine. */
  readonly match: number;
  /** Whether it holds what the question wants to know, as far as the form of that shows: a time, or a number. */
  readonly answers: boolean;
}

/** Returns what each sentence of a passage says; all of it where it has none of its own. */
export function sentenceTexts({ description, passage }: GraphNode): readonly string[] {
  const spans = passage?.sentences ?? [];
  return spans.length === 0 ? [description] : spans.map(([start, end]) => description.slice(start, end));
}

/** The sentences of some passages, compared with the question and with each other. */
export class Sentences {
  private readonly of = new Map<string, readonly Sentence[]>();
  private readonly bests = new Map<string, Sentence | undefined>();
  private readonly nearer: ReturnType<typeof nearerThanUsual>;

  /** `blobs`: item → its sentences as packed vectors; empty without a model. */
  constructor(
    nodes: readonly GraphNode[],
    {
      question,
      texts,
      blobs,
    }: { readonly question: Question; readonly texts: ItemTexts; readonly blobs: ReadonlyMap<string, Uint8Array> },
  ) {
    const { vector: asked, terms, text, language } = question;
    const isAnswer = answers(text, language);
    const read = nodes.map((node) => {
      const { title, sentences } = texts.of(node);
      const blob = blobs.get(node.id);
      const vectors = blob === undefined || asked === null ? [] : unpackSentences(blob, asked.length);
      const spoken = sentenceTexts(node);
      return sentences.map((words, i) => ({
        node,
        text: spoken[i] ?? node.description,
        pairs: pairsOf(words),
        held: new Set([...content(title), ...content(words)]),
        vector: vectors[i],
      }));
    });
    const every = read.flat();
    const contents = contentsOf(every.map(({ held }) => held));
    this.nearer = nearerThanUsual(every.flatMap(({ vector }) => vector ?? []));
    let at = 0;
    read.forEach((list, i) => {
      const sentences = list.map(({ held, vector, ...one }): Sentence => {
        const near = vector === undefined || asked === null ? 0 : Math.max(0, dot(vector, asked));
        return {
          ...one,
          ...contents[at++]!,
          vector,
          ...{ match: coverage(terms, held) + near, answers: !HEADER.test(one.text) && isAnswer(one.text) },
          ...{ isNews: saysDocumentChange(one.text), isOpen: !proposes(one.text) },
        };
      });
      this.of.set(nodes[i]!.id, sentences);
    });
  }

  ofNode({ id }: GraphNode): readonly Sentence[] {
    return this.of.get(id) ?? [];
  }

  /** Returns the sentence of a passage that matches the question best; one that answers by its form before others. */
  best(node: GraphNode): Sentence | undefined {
    if (!this.bests.has(node.id)) {
      const sorted = [...this.ofNode(node)].sort((a, b) => Number(b.answers) - Number(a.answers) || b.match - a.match);
      this.bests.set(node.id, sorted[0]);
    }
    return this.bests.get(node.id);
  }

  /**
   * Returns how alike two sentences are, 0..2: how much nearer their vectors are than those of the others, plus the share of the words
   * of the one that has less, by rarity, that the other holds.
   */
  likeness(a: Sentence, b: Sentence): number {
    const common = shared(a, b);
    const words = common === 0 ? 0 : common / Math.min(a.all, b.all);
    if (a.vector === undefined || b.vector === undefined) return WORDS_ALONE * words;
    return words + this.nearer(a.vector, b.vector);
  }
}

/**
 * Returns whether a sentence is of another thing than the question, which an earlier one is of: it has another word before one of the question's,
 * as in "application logs" for "access logs".
 */
export function isOfAnother(asked: Pairs, earlier: Sentence, later: Sentence): boolean {
  return [...asked].some(
    ([noun, before]) =>
      later.pairs.has(noun) &&
      [...before].some((word) => earlier.pairs.get(noun)?.has(word) === true && !later.stems.has(word)),
  );
}

/** Returns, for each content word after another one, the words before it. */
export function pairsOf(words: readonly Word[]): Pairs {
  const pairs = new Map<string, Set<string>>();
  words.forEach(({ stem, stop }, i) => {
    const before = words[i - 1];
    if (stop || before === undefined || before.stop) return;
    pairs.set(stem, (pairs.get(stem) ?? new Set()).add(before.stem));
  });
  return pairs;
}

function content(words: readonly Word[]): string[] {
  return words.flatMap(({ stop, stem }) => (stop ? [] : [stem]));
}

/** Says that a time or a number is what it was. */
const AS_BEFORE =
  /as before|as (?:in|for) (?:the )?(?:year before|last year|previous year)|same (?:price|as)|unchanged|remains?|stays?|wie (?:bisher|gewohnt|im vorjahr|zuvor)|unver(?:ä|ae)ndert|bleib(?:t|en)|comme (?:avant|l['’]an dernier|d['’]habitude)|inchang(?:é|ée|és|ées)|reste(?:nt)? (?:à|au)|sin cambios|(?:como|igual que) (?:antes|siempre|el año pasado)|se mantiene|come (?:prima|l['’]anno scorso)|invariat[oaie]|(?:rimane|resta) (?:a|di|il|la)|como (?:antes|no ano passado)|inalterad[oa]|zoals voorheen|ongewijzigd|blijft/iu;

/** Asks for a time besides: a part of the day, a day of the week. */
const DAY =
  /(?:which|what) (?:weekday|evening|morning|afternoon)|how (?:early|late|soon)|wochentag|wie (?:fr(?:ü|ue)h|sp(?:ä|ae)t)/iu;

/** Returns what tells whether a sentence holds what a question wants to know. */
function answers(question: string, language: string): (sentence: string) => boolean {
  if (asksTime(question, language) || DAY.test(question))
    return (sentence) => !AS_BEFORE.test(sentence) && temporalExpressions(sentence, language) > 0;
  if (asksAmount(question)) return (sentence) => !AS_BEFORE.test(sentence) && /\p{Nd}/u.test(sentence);
  return () => true;
}
