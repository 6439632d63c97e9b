import { CONNECTORS } from '../../core/text/connectors.js';
import type { QuestionWord } from '../seed/question-words.js';

/** A stretch of words: [from, to). */
export interface WordSpan {
  readonly from: number;
  readonly to: number;
}

export const ARTICLES: ReadonlySet<string> = new Set(['the', 'a', 'an']);
const RELATIVES = new Set(['where', 'who', 'that', 'which', 'whose', 'whom', 'when', 'what']);
/** Words at which a clause about the anchor ends. */
const CLAUSE_ENDS = new Set('is was are were did does do has have had can could will would'.split(' '));
/** Articles to the left of the anchor that open a cut, at most. */
const LEFT = 3;
/** Words of a possessive phrase after the anchor, at most. */
const POSSESSED = 4;
const MOST = 6;

/**
 * Returns the parts of a question that an anchor may explain, at most 6, each leaving a content word over and no half of a word: the anchor
 * alone, a possessive phrase ("X's director"), and the phrases from an article on the left to the end of the anchor or, after
 * a relative word, to the end of the clause.
 */
export function cutsAround(words: readonly QuestionWord[], text: string, anchor: WordSpan): WordSpan[] {
  const cuts: WordSpan[] = [];
  const add = (cut: WordSpan): void => {
    if (
      cuts.length < MOST &&
      isCut(words, cut) &&
      ![cut.from, cut.to].some((at) => isInsideWord(words, text, at)) &&
      !cuts.some((other) => other.from === cut.from && other.to === cut.to)
    ) {
      cuts.push(cut);
    }
  };
  const owner = words[anchor.to - 1];
  if (owner?.norm.endsWith("'s") === true) possessives(words, anchor).forEach(add);
  for (const from of articlesLeft(words, anchor.from)) {
    const relative = words.slice(from + 1, anchor.from).some((word) => RELATIVES.has(word.norm));
    add({ from, to: relative ? clauseEnd(words, text, anchor.to) : anchor.to });
  }
  add(anchor);
  return cuts;
}

function possessives(words: readonly QuestionWord[], anchor: WordSpan): WordSpan[] {
  const cuts: WordSpan[] = [];
  const end = Math.min(words.length, anchor.to + POSSESSED);
  for (let to = anchor.to + 1; to <= end; to += 1) {
    const last = words[to - 1]!;
    if (last.content) cuts.push({ from: anchor.from, to });
    else if (!CONNECTORS.has(last.norm)) break;
  }
  return cuts;
}

function articlesLeft(words: readonly QuestionWord[], from: number): number[] {
  const found: number[] = [];
  for (let i = from - 1; i >= 0 && found.length < LEFT; i -= 1) if (ARTICLES.has(words[i]!.norm)) found.push(i);
  return found;
}

function clauseEnd(words: readonly QuestionWord[], text: string, from: number): number {
  for (let i = from; i < words.length; i += 1) {
    const { norm, start } = words[i]!;
    if (i > from && (RELATIVES.has(norm) || CLAUSE_ENDS.has(norm))) return i;
    if (/[,;:?]/u.test(text.slice(words[i - 1]?.end ?? start, start))) return i;
  }
  return words.length;
}

function isCut(words: readonly QuestionWord[], { from, to }: WordSpan): boolean {
  return from < to && words.some((word, i) => word.content && (i < from || i >= to));
}

/**
 * Tells whether a cut that begins or ends before a word would leave half a code over, such as "99" of "BRE-2607-99", or half a word
 * that is written with a hyphen, such as "ups" of "check-ups".
 */
function isInsideWord(words: readonly QuestionWord[], text: string, at: number): boolean {
  const joined = (i: number): boolean =>
    i > 0 && i < words.length && /^[-\u2010\u2011._/]$/u.test(text.slice(words[i - 1]!.end, words[i]!.start));
  if (!joined(at)) return false;
  if ([at - 1, at].every((i) => /^\p{Ll}/u.test(text.slice(words[i]!.start)))) return true;
  let [from, to] = [at - 1, at + 1];
  while (joined(from)) from -= 1;
  while (joined(to)) to += 1;
  return words.slice(from, to).some(({ norm }) => /\p{N}/u.test(norm));
}

/** Returns the question with a cut replaced by a name. */
export function substituted(
  text: string,
  words: readonly QuestionWord[],
  { from, to }: WordSpan,
  name: string,
): string {
  return `${text.slice(0, words[from]!.start)}${name}${text.slice(words[to - 1]!.end)}`;
}
