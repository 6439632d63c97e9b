import { fold } from '../../core/text/fold.js';
import type { MentionPart } from '../../core/text/mentions.js';
import { stem } from '../../core/text/stems/stem.js';
import { isStopWord } from '../../core/text/stop-words.js';
import { tokenize } from '../../core/text/tokens.js';

/** One word of the question, in order. */
export interface QuestionWord {
  readonly norm: string;
  readonly stem: string;
  /** UTF-16 offsets in the question. */
  readonly start: number;
  readonly end: number;
  /** False for stop words, and for words that only ask. */
  readonly content: boolean;
  /** True for a word that only asks, such as "much" of "how much". */
  readonly asks: boolean;
  /** Inverse document frequency over the requested domains; 0 for stop words. */
  readonly idf: number;
  /** True inside a name that the question holds. */
  readonly inName: boolean;
  /** True of whose something is: "shop's", "neighbours'". */
  readonly possessive: boolean;
}

/** What ends the word of several whose something is. */
const APOSTROPHE = /['’]/u;
/** Per language: a word that asks, and what it asks for after it. Who answers "how long" says three days. */
const AFTER: Readonly<Record<string, readonly [string, ReadonlySet<string>]>> = {
  english: ['how', setOf('much many long often old far big tall high heavy large deep soon fast')],
  german: ['wie', setOf('viel viele vielen lange oft alt weit groß hoch schwer')],
  dutch: ['hoe', setOf('veel lang vaak oud ver groot hoog zwaar')],
};
/** Words that ask or are polite, and contractions as many type them. */
const ASKING: Readonly<Record<string, ReadonlySet<string>>> = {
  english: setOf('please whats whos wheres whens hows whys dont doesnt didnt isnt cant wont'),
  german: setOf('bitte wieviel wieviele'),
  dutch: setOf('alstublieft hoeveel'),
  french: setOf('combien'),
};

function setOf(words: string): ReadonlySet<string> {
  return new Set(words.split(' ').map(fold));
}

/** Reads the words of a question. `idf`: stem → inverse document frequency. Pure. */
export function questionWords(
  text: string,
  parts: readonly MentionPart[],
  { idf, language }: { readonly idf: ReadonlyMap<string, number>; readonly language?: string },
): QuestionWord[] {
  const inside = new Set<number>();
  for (const part of parts) for (let i = 0; i < part.length; i += 1) inside.add(part.token + i);
  const tokens = tokenize(text);
  return tokens.map(({ norm, start, end }, i) => {
    const asks = onlyAsks(norm, tokens[i - 1]?.norm, language);
    const content = !asks && !isStopWord(norm, language);
    const term = stem(norm, language);
    const rarity = content || asks ? (idf.get(term) ?? 0) : 0;
    // Quotation marks may be apostrophes.
    const isOfSeveral =
      norm.endsWith('s') && APOSTROPHE.test(text[end] ?? '') && !APOSTROPHE.test(text[start - 1] ?? '');
    return {
      norm,
      stem: term,
      start,
      end,
      content,
      asks,
      idf: rarity,
      inName: inside.has(i),
      possessive: isOfSeveral || /['’]s$/u.test(norm),
    };
  });
}

function onlyAsks(norm: string, before: string | undefined, language = 'english'): boolean {
  const [asks, wanted] = AFTER[language] ?? [];
  return ASKING[language]?.has(norm) === true || (before !== undefined && before === asks && wanted!.has(norm));
}

/** Returns terms without those of words that only ask. */
export function withoutAsking<T extends { readonly stem: string }>(
  terms: readonly T[],
  words: readonly QuestionWord[],
): readonly T[] {
  const content = new Set(words.filter((word) => word.content).map(({ stem }) => stem));
  const others = new Set(words.filter(({ stem }) => !content.has(stem)).map(({ stem }) => stem));
  const rest = terms.filter(({ stem }) => !others.has(stem));
  return rest.length === 0 ? terms : rest;
}
