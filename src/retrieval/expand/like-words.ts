import { slicer } from '../../core/async/slices.js';
import { isUnavailable } from '../../core/errors.js';
import { fold } from '../../core/text/fold.js';
import type { RetrievalParts } from '../collaborators.js';
import { byLanguage } from '../dates/by-language.js';
import { dateWords } from '../dates/date-words.js';
import type { Question } from '../seed/question.js';
import type { ItemWords, Like, LikeWords } from './item-words.js';

/**
 * Cosines by the token table from which a word counts, and from which it counts as the term itself: "weight" is at 0.90 from
 * "weigh", "heavy" at 0.70, "mileage" at 0.46 from "miles"; what has nothing to do with each other is mostly below 0.2.
 */
const APART = 0.25;
const SAME = 0.75;
const SMALL = /^\d{1,2}$/u;
/** Words compared between two looks at the clock. */
const SLICE = 128;
/** Numbers and codes are alike in form and differ in meaning; the table knows words of other scripts by single characters. */
const WORD = /^[\p{Script=Latin}\p{M}'’]{2,}$/u;

/**
 * Finds the words of items that mean nearly what the question asks about what it names. Names, months and days stand for themselves alone, and so do numbers but for the other form of small ones.
 * Without the files of the table no other word does.
 */
export async function likeWords(
  table: RetrievalParts['table'],
  { words, open, language }: Pick<Question, 'words' | 'open' | 'language'>,
  items: Iterable<ItemWords>,
): Promise<LikeWords> {
  const isAlone = unlike(language);
  const asked = words.filter(
    ({ content, inName, stem, norm }) => content && !inName && open.has(stem) && WORD.test(norm) && !isAlone(norm),
  );
  const found = otherForms(words, language);
  const { cosines } = (asked.length === 0 ? undefined : opened(table)) ?? {};
  if (cosines === undefined) return found;
  const pause = slicer('urgent');
  const held = new Set<string>();
  for (const { norms } of items) {
    for (const norm of norms) held.add(norm);
    await pause();
  }
  const compared = [...held].filter((word) => WORD.test(word));
  const terms = asked.map(({ norm }) => norm);
  for await (const { slice, near } of comparedInSlices(cosines, compared, terms)) {
    for (let at = 0; at < near.length; at += 1) {
      const cosine = near[at]!;
      if (cosine <= APART) continue;
      const word = slice[Math.floor(at / terms.length)]!;
      const like = { stem: asked[at % terms.length]!.stem, share: shareOf(cosine) };
      const known = found.get(word);
      if (known === undefined) found.set(word, [like]);
      else known.push(like);
    }
  }
  return found;
}

type Cosines = ReturnType<RetrievalParts['table']>['cosines'];

/** Yields the cosines of each slice of words with the terms, word by word, and gives way to the event loop between them. */
async function* comparedInSlices(
  cosines: NonNullable<Cosines>,
  words: readonly string[],
  terms: readonly string[],
): AsyncGenerator<{ readonly slice: readonly string[]; readonly near: Float32Array }> {
  const pause = slicer('urgent');
  for (let from = 0; from < words.length; from += SLICE) {
    const slice = words.slice(from, from + SLICE);
    yield { slice, near: cosines(slice, terms) };
    await pause();
  }
}

function shareOf(cosine: number): number {
  return Math.max(0, Math.min(1, (cosine - APART) / (SAME - APART)));
}

/** Returns a function that tells how far a word stands for a term of the question, 0..1. Both as they are written, folded. */
export async function likenessByTable(
  table: RetrievalParts['table'],
  words: ReadonlySet<string>,
  terms: ReadonlySet<string>,
): Promise<(word: string, term: string) => number> {
  const [known, asked] = [words, terms].map((set) => [...set].filter((word) => WORD.test(word)));
  const { cosines } = (known!.length === 0 || asked!.length === 0 ? undefined : opened(table)) ?? {};
  if (cosines === undefined) return () => 0;
  const rows = new Map<string, Float32Array>();
  for await (const { slice, near } of comparedInSlices(cosines, known!, asked!))
    for (const [i, word] of slice.entries()) rows.set(word, near.subarray(i * asked!.length, (i + 1) * asked!.length));
  const columns = new Map(asked!.map((term, i) => [term, i]));
  return (word, term) => {
    const [row, column] = [rows.get(word), columns.get(term)];
    return row === undefined || column === undefined ? 0 : shareOf(row[column]!);
  };
}

const numbersOf = byLanguage((language) => dateWords(language).numbers.map(fold));

/** Returns small numbers of the question in their other form: "3" for "three" and "three" for "3". */
function otherForms(words: Question['words'], language: string): Map<string, Like[]> {
  const numbers = numbersOf(language);
  const forms = new Map<string, Like[]>();
  for (const { norm, stem, content, inName } of words) {
    if (!content || inName) continue;
    const value = numbers.indexOf(norm);
    const other = value === -1 ? numbers[SMALL.test(norm) ? Number(norm) : -1] : String(value);
    if (other !== undefined) forms.set(other, [{ stem, share: 1 }]);
  }
  return forms;
}

/**
 * Returns what tells words that no other word stands for: months, days of the week and number words are used alike and mean another
 * each ("March" and "April" are at 0.70), and "happened" or "said" ask for whatever there was.
 */
const unlike = byLanguage((language): ((word: string) => boolean) => {
  const { months, weekdays, numbers, happens } = dateWords(language);
  const alone = new Set([...months, ...numbers, ...happens].map(fold));
  const weekday = new RegExp(`^${weekdays}`, 'u');
  return (word) => alone.has(word) || weekday.test(word);
});

/** Returns whether words that are alike can be told: without the files of the table none can. */
export function tellsLikeWords(table: RetrievalParts['table']): boolean {
  return opened(table)?.cosines !== undefined;
}

function opened(table: RetrievalParts['table']): ReturnType<RetrievalParts['table']> | undefined {
  try {
    return table();
  } catch (error) {
    if (isUnavailable(error)) return undefined;
    throw error;
  }
}
