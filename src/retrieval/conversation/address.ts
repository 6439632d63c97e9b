import type { GraphNode } from '../../core/model.js';
import { tokenize } from '../../core/text/tokens.js';
import type { RetrievalParts } from '../collaborators.js';
import { emptyVerbs } from '../dates/dates.js';
import type { Question } from '../seed/question.js';
import { clausesOf } from './clauses.js';
import { addressed, participantsIn } from './participants.js';

/** The question as it is put to the participants of a conversation. */
export interface AddressedQuestion {
  readonly text: string;
  readonly vector: Float32Array | null;
  /** Speakers that the question names. */
  readonly named: ReadonlySet<string>;
  /** Content stems outside names → idf. */
  readonly terms: ReadonlyMap<string, number>;
  /** The words of these terms, for a search. */
  readonly words: string;
  /** The question's parts where it asks about several things; empty where it asks about one. */
  readonly clauses: readonly AddressedClause[];
}

/** One thing that a question asks about. */
export interface AddressedClause {
  readonly vector: Float32Array | null;
  readonly terms: ReadonlyMap<string, number>;
  readonly words: string;
}

/** Takes names of speakers out of the question: an embedded turn holds none. `messages`: turns whose speakers it may name. */
export async function address(
  parts: RetrievalParts,
  question: Question,
  messages: Iterable<GraphNode>,
): Promise<AddressedQuestion> {
  const spans = participantsIn(question.text, speakersOf(messages));
  // What asks counts here: a turn seldom tells by its other words that nobody answered "how many".
  const words = question.words.filter(
    (word) => (word.content || word.asks) && !spans.some((span) => word.start >= span.start && word.start < span.end),
  );
  const clauses = clausesOf(question.text, words);
  const inside = (from: number, to: number) => spans.filter((span) => span.start >= from && span.end <= to);
  const texts = [
    ...(spans.length === 0 ? [] : [addressed(question.text, spans, question.language)]),
    ...clauses.map(({ start, end }) =>
      addressed(
        question.text.slice(start, end),
        inside(start, end).map((span) => ({ ...span, start: span.start - start, end: span.end - start })),
        question.language,
      ),
    ),
  ];
  const vectors = parts.embedding === null || texts.length === 0 ? [] : await parts.embedding.embed(texts);
  const first = spans.length === 0 ? 0 : 1;
  const termsOf = (some: typeof words) => new Map(some.map((word) => [word.stem, word.idf]));
  const wordsOf = (some: typeof words) => some.map((word) => word.norm).join(' ');
  return {
    text: first === 0 ? question.text : texts[0]!,
    vector: (first === 0 ? undefined : vectors[0]) ?? question.vector,
    named: new Set(spans.map((span) => span.speaker)),
    terms: termsOf(words),
    words: wordsOf(words),
    clauses: clauses.map(({ start, end }, i) => {
      const own = words.filter((word) => word.start >= start && word.end <= end);
      return { vector: vectors[first + i] ?? null, terms: termsOf(own), words: wordsOf(own) };
    }),
  };
}

/** Content words beside a date up to which a question is about the date. */
const FEW = 1;

/**
 * Returns a question about a date without the words of the date, since what fits by its day need not name it, and without a verb
 * that asks for whatever there was that day. One that asks about more stays as it is.
 */
export function onlyAbout(
  question: AddressedQuestion,
  { date, asked }: { readonly date: string; readonly asked: Pick<Question, 'words' | 'language'> },
): AddressedQuestion {
  const left = new Set([...tokenize(date).map(({ norm }) => norm), ...emptyVerbs(asked.language)]);
  const stems = new Set(asked.words.flatMap(({ norm, stem }) => (left.has(norm) ? [stem] : [])));
  const others = [...question.terms.keys()].filter((stem) => !stems.has(stem));
  if (others.length > FEW) return question;
  const rest = <T extends Pick<AddressedClause, 'terms' | 'words'>>(part: T): T => ({
    ...part,
    terms: new Map([...part.terms].filter(([stem]) => !stems.has(stem))),
    words: part.words
      .split(' ')
      .filter((norm) => !left.has(norm))
      .join(' '),
  });
  return { ...rest(question), clauses: question.clauses.map(rest) };
}

/** Returns the speakers of some turns whom a question names. */
export function peopleNamed(question: string, messages: Iterable<GraphNode>): Set<string> {
  return new Set(participantsIn(question, speakersOf(messages)).map(({ speaker }) => speaker));
}

function speakersOf(messages: Iterable<GraphNode>): string[] {
  const speakers = new Set<string>();
  for (const { passage } of messages) {
    if (passage?.message?.speaker !== undefined) speakers.add(passage.message.speaker);
  }
  return [...speakers];
}
