import { contentHash } from '../../core/ids.js';
import { languageAndWords, languageOf } from '../../core/text/language.js';
import { stopWords } from '../../core/text/stop-words.js';
import { analyse, analyseInSlices, termsAmong, type Word, wordsOf } from '../../core/text/words.js';
import type { TextDoc, TextTerm } from './port.js';

const K1 = 1.2;
const B = 0.75;
/** Greatest length and term frequency that count: beyond them a score hardly moves, and both fit small integers. */
const MAX_LENGTH = 0xffff;
const MAX_TF = 0xff;

/** How often the words that are indexed of a language have changed; 1 where it is not named. A document that was read otherwise is indexed again. */
const READINGS: Readonly<Record<string, number>> = { french: 2, italian: 2, spanish: 2, portuguese: 2 };

/** `auto`: each text's own, by its function words; else one language for all, as `core/text/stem.ts` names it. */
export type LanguageSetting = string;

/** Statistics over the requested domains. */
export interface Statistics {
  readonly documents: number;
  /** Tokens over all documents. */
  readonly length: number;
}

export interface DocumentTerms {
  /** Tokens that are not stop words, at most `MAX_LENGTH`. */
  readonly length: number;
  /** Stem → frequency, at most `MAX_TF`. */
  readonly counts: ReadonlyMap<string, number>;
}

/** A document of which the language was read, once for all that is asked of it. */
export interface ReadDocument {
  /** Returns 48 bits that show whether the document has to be indexed again. */
  mark(): number;
  /**
   * Returns what is indexed: the stems of title and text in its language. One in another language than English is found
   * by English stems too: names and terms in it are asked for in any language, and links look for keys.
   */
  terms(): Promise<DocumentTerms>;
}

export function readDocument(
  { title, text: body }: Pick<TextDoc, 'title' | 'text'>,
  setting: LanguageSetting,
): ReadDocument {
  const text = title === '' ? body : `${title}\n${body}`;
  const { language, words } = setting === 'auto' ? languageAndWords(text) : { language: setting };
  return {
    mark: () => Number.parseInt(contentHash(`${READINGS[language] ?? 1}\0${language}\0${text}`).slice(0, 12), 16),
    terms: () => termsOf(text, { language, words }),
  };
}

/** `words`: the text's, read as English, where they are at hand. */
async function termsOf(
  text: string,
  { language, words }: { language: string; words?: readonly Word[] | undefined },
): Promise<DocumentTerms> {
  const english = words === undefined ? undefined : termsAmong(words);
  const stems = (language === 'english' ? english : undefined) ?? (await analyseInSlices(text, language));
  const counts = countsOf(stems);
  if (language !== 'english') {
    for (const [stem, count] of countsOf(english ?? (await analyseInSlices(text)))) {
      if (!counts.has(stem) && !stopWords(language).has(stem)) counts.set(stem, count);
    }
  }
  return { length: Math.min(stems.length, MAX_LENGTH), counts };
}

function countsOf(stems: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const stem of stems) {
    const count = counts.get(stem) ?? 0;
    if (count < MAX_TF) counts.set(stem, count + 1);
  }
  return counts;
}

function languageIn(text: string, setting: LanguageSetting): string {
  return setting === 'auto' ? languageOf(text) : setting;
}

/** Returns the distinct stems of a query, in order of appearance. */
export function queryTerms(query: string, setting: LanguageSetting): string[] {
  return [...new Set(analyse(query, languageIn(query, setting)))];
}

/**
 * Returns the English stems of a query in another language, by its stems there, where both differ: a short text that does not tell its language,
 * such as a row of names, is indexed by these alone.
 */
export function englishStems(query: string, setting: LanguageSetting): ReadonlyMap<string, string> {
  const others = new Map<string, string>();
  const language = setting === 'auto' ? languageOf(query) : 'english';
  if (language === 'english') return others;
  const english = wordsOf(query);
  const stems = wordsOf(query, language).map((word) => (word.stop ? undefined : word.stem));
  for (const [i, stem] of stems.entries()) {
    const other = english[i];
    if (stem === undefined || other === undefined || other.stop || others.has(stem)) continue;
    if (!stems.includes(other.stem)) others.set(stem, other.stem);
  }
  return others;
}

/** Returns ln(1 + (N − df + 0.5) / (df + 0.5)). */
function idf(documents: number, df: number): number {
  return Math.log(1 + (documents - df + 0.5) / (df + 0.5));
}

/** Returns the query's terms with their idf, and the attainable score Σ idf·(k1+1) over those that occur. */
export function weigh(stems: readonly string[], dfs: readonly number[], documents: number) {
  const terms: TextTerm[] = stems.map((stem, i) => ({ stem, df: dfs[i] ?? 0, idf: idf(documents, dfs[i] ?? 0) }));
  let attainable = 0;
  for (const term of terms) if (term.df > 0) attainable += term.idf * (K1 + 1);
  return { terms, attainable };
}

/** Returns the weight of a term: idf·(k1+1). */
export function weightOf(term: TextTerm): number {
  return term.idf * (K1 + 1);
}

/** Returns k1·(1−b) and k1·b/avgdl: `contribution` adds the first to the second times the document's length. */
export function lengthNorm({ documents, length }: Statistics): { readonly base: number; readonly slope: number } {
  return { base: K1 * (1 - B), slope: length === 0 ? 0 : (K1 * B * documents) / length };
}

/**
 * Returns one term's part of BM25 (Robertson & Zaragoza 2009): idf·(k1+1)·tf / (tf + k1·(1−b+b·dl/avgdl)). `norm` is
 * the second summand below. Implementations add the parts in the order of the stems, so that equal documents score
 * equal to the bit.
 */
export function contribution(weight: number, tf: number, norm: number): number {
  return (weight * tf) / (tf + norm);
}

/** Returns positions of the stems in the order in which parts are added. */
export function summingOrder(stems: readonly string[]): number[] {
  return stems.map((_, i) => i).sort((a, b) => ((stems[a] as string) < (stems[b] as string) ? -1 : 1));
}
