import { stopWordLanguages, stopWords } from './stop-words.js';
import { wordsOf } from './words.js';

/** Characters that are read: the first sentences tell. */
const READ = 1200;
/** Function words of one language alone that it takes to leave English; a word that n languages share counts 1/n. */
const LEAST = 1.5;
/** Share of the words that they must be. */
const SHARE = 0.15;
/** What a question needs, which is short: two words, of this weight together, and so much more than speaks for English. */
const LEAST_ASKED = 0.8;
const ABOVE_ENGLISH = 0.4;
const ENGLISH = 'english';

let owners: Map<string, readonly string[]> | undefined;

/**
 * Returns the language of a text by its function words, as `stem` and `stopWords` name it; English where they do not
 * tell, as in a list of names. The same text always gives the same answer.
 */
export function languageOf(text: string): string {
  const words = wordsOf(text.slice(0, READ));
  const { best, weights, counts } = evidenceIn(words);
  const weight = weights.get(best) ?? 0;
  if (weight >= Math.max(LEAST, SHARE * words.length)) return best;
  const asked = /[?？]\s*$/u.test(text) && (counts.get(best) ?? 0) >= 2 && weight >= LEAST_ASKED;
  return asked && weight >= (weights.get(ENGLISH) ?? 0) + ABOVE_ENGLISH ? best : ENGLISH;
}

/** Weighs what function words say for each language. */
function evidenceIn(words: ReadonlyArray<{ readonly norm: string }>) {
  owners ??= ownersOf();
  const weights = new Map<string, number>();
  const counts = new Map<string, number>();
  for (const { norm } of words) {
    const of = owners.get(norm);
    for (const language of of ?? []) {
      weights.set(language, (weights.get(language) ?? 0) + 1 / of!.length);
      counts.set(language, (counts.get(language) ?? 0) + 1);
    }
  }
  let best = ENGLISH;
  for (const [language, weight] of weights) if (weight > (weights.get(best) ?? 0)) best = language;
  return { best, weights, counts };
}

/** Returns whether a sentence may be English: what rests on English words is read in no other language. */
export function mayBeEnglish(sentence: string): boolean {
  const { best, weights } = evidenceIn(wordsOf(sentence.slice(0, READ)));
  const other = best === ENGLISH ? 0 : (weights.get(best) ?? 0);
  return other < LEAST_ASKED || other < (weights.get(ENGLISH) ?? 0) + ABOVE_ENGLISH;
}

/** Function word → the languages that have it. */
function ownersOf(): Map<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const language of stopWordLanguages()) {
    for (const word of stopWords(language)) found.set(word, [...(found.get(word) ?? []), language]);
  }
  return found;
}
