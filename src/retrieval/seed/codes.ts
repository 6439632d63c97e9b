import type { Word } from '../../core/text/words.js';
import { dateIn } from '../dates/dates.js';
import type { ItemWords } from '../expand/item-words.js';
import type { QuestionWord } from './question-words.js';

/** A code in a question, such as "KX-15-200" or "PM-2026-01-007": its words mean something in this order alone. */
export interface Code {
  /** Its words in order, folded. */
  readonly norms: readonly string[];
  /** Stems of those that are content. */
  readonly stems: ReadonlySet<string>;
  /** Stands for the whole code among the terms of a question; no word is written like it. */
  readonly term: string;
}

const JOINT = /^[-‐‑._/:]$/u;
const DIGIT = /\p{Nd}/gu;
const LETTER = /\p{L}/u;
const CAPITAL = /\p{Lu}/u;
const NUMBER = /^\p{Nd}+$/u;
/** Digits of a number that is written in groups, at least: "04651 77 018". */
const GROUPED = 6;
/** Groups of three, as amounts are written, and years. */
const AMOUNT = /^\p{Nd}{1,3}(?: \p{Nd}{3})+$/u;
const YEARS = /^(?:(?:19|20)\p{Nd}{2} ?)+$/u;
/** A code as it is typed in a hurry: "sn-205656", and no "mid-2026". */
const SMALL = /^\p{Ll}{1,4}-(?!(?:19|20)\p{Nd}{2}$)\p{Nd}/u;
/** "2026-05-12T10:30". */
const TIMESTAMP = /^\p{Nd}{4}-\p{Nd}{2}-\p{Nd}{2}T/u;
/** What codes begin with as terms. */
const MARK = '\u0001';

/**
 * Returns the codes of a question: words joined by one sign and no space, digits and a capital letter or three numbers among them, and numbers in groups.
 * Dates, times, ranges, amounts and "18-year-old" are none. Pure.
 */
export function codesIn(text: string, words: readonly QuestionWord[]): Code[] {
  const codes: Code[] = [];
  for (let from = 0; from < words.length; ) {
    let to = from + 1;
    while (to < words.length && areJoined(text, words[to - 1]!, words[to]!)) to += 1;
    const run = words.slice(from, to);
    const written = text.slice(run[0]!.start, run.at(-1)!.end);
    if (isCode(written, run)) {
      const norms = run.map(({ norm }) => norm);
      const stems = new Set(run.flatMap(({ content, stem }) => (content ? [stem] : [])));
      if (stems.size > 0) codes.push({ norms, stems, term: MARK + norms.join(' ') });
    }
    from = to;
  }
  return codes;
}

function areJoined(text: string, a: QuestionWord, b: QuestionWord): boolean {
  const between = text.slice(a.end, b.start);
  return JOINT.test(between) || (between === ' ' && isNumber(a) && isNumber(b));
}

function isNumber({ norm }: QuestionWord): boolean {
  return NUMBER.test(norm);
}

function isCode(written: string, run: readonly QuestionWord[]): boolean {
  const digits = written.match(DIGIT)?.length ?? 0;
  if (run.length < 2 || digits === 0) return false;
  if (written.includes(' '))
    return run.length > 2 && digits >= GROUPED && !AMOUNT.test(written) && !YEARS.test(written);
  if (written.includes(':') || TIMESTAMP.test(written) || (run.length === 2 && written.includes('/'))) return false;
  if (CAPITAL.test(written) || SMALL.test(written)) return true;
  if (LETTER.test(written)) return run.some(({ norm }) => LETTER.test(norm) && /\p{Nd}/u.test(norm));
  // Digits alone: a range has two numbers, a date may be read.
  return run.length > 2 && digits >= GROUPED && !written.includes('/') && dateIn(written, undefined) === undefined;
}

/** Returns whether a title or sentence holds the words of a code one after the other. */
export function holdsCode(
  { title, sentences }: Pick<ItemWords, 'title' | 'sentences'>,
  { norms }: Pick<Code, 'norms'>,
): boolean {
  return [title, ...sentences].some((words) => holdsInOrder(words, norms));
}

function holdsInOrder(words: readonly Word[], norms: readonly string[]): boolean {
  const last = words.length - norms.length;
  for (let at = 0; at <= last; at += 1) {
    if (norms.every((norm, i) => words[at + i]!.norm === norm)) return true;
  }
  return false;
}

/** Returns terms with each code as one of them, of its words' weight; words that stand in codes alone are left out. */
export function withCodes(
  terms: ReadonlyMap<string, number>,
  codes: readonly Code[],
  words: readonly QuestionWord[],
): ReadonlyMap<string, number> {
  if (codes.length === 0) return terms;
  const inside = onlyInCodes(codes, words);
  const others = new Map([...terms].filter(([stem]) => !inside.has(stem)));
  for (const { stems, term } of codes) {
    const weight = [...stems].reduce((sum, stem) => sum + (terms.get(stem) ?? 0), 0);
    if (weight > 0) others.set(term, weight);
  }
  return others;
}

/** Returns the stems that a question has in codes and nowhere else. */
export function onlyInCodes(codes: readonly Code[], words: readonly QuestionWord[]): Set<string> {
  const counts = new Map<string, number>();
  for (const { stem } of words) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  const inside = new Set<string>();
  for (const { stems } of codes) for (const stem of stems) if (counts.get(stem) === 1) inside.add(stem);
  return inside;
}
