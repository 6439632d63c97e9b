import { slicer } from '../async/slices.js';
import { classAt, isAmongDivided, MARK, OTHER } from './characters.js';
import { stem } from './stems/stem.js';
import { isStopWord, languagesWith } from './stop-words.js';
import { ALNUM, ASCII, dividesAt, endOfWord, normOfWord, SLICED, width } from './tokens.js';

/** A word without its place: the same object for the same word, mostly. */
export interface Word {
  /** As `tokenize` folds it. */
  readonly norm: string;
  readonly stem: string;
  /** True for a stop word of the language. */
  readonly stop: boolean;
  /** The languages that have it among their function words. */
  readonly languages: readonly string[] | undefined;
}

/** Words kept per language: sets of `WAYS`, in which a new word takes the place of another once all are taken. */
const SETS = 8192;
const WAYS = 8;
/** Units that are read before the event loop may run. */
const SLICE = 5000;
/** Longer words are noise and not kept. */
const LONGEST = 64;
const FNV_PRIME = 0x01000193;
const FNV_BASIS = 0x811c9dc5;

/** Lower-case unit of each ASCII letter and digit. */
const LOWER = Uint8Array.from({ length: 128 }, (_, unit) => String.fromCharCode(unit).toLowerCase().charCodeAt(0));

/**
 * Returns the words of a text in order, as `tokenize` finds them, with their stems. Words met before cost neither a string nor a
 * stemming: a text of ASCII is compared in place with what is kept.
 */
export function wordsOf(text: string, language = 'english'): Word[] {
  const words: Word[] = [];
  readWords(text, { from: 0, to: text.length, language, words });
  return words;
}

/**
 * Adds the words that start in a part of a text to `words`, and those of the runs that are divided with its last ones; returns where
 * the last one ends.
 */
function readWords(
  text: string,
  { from, to, language, words }: { from: number; to: number; language: string; words: Word[] },
): number {
  const known = knownIn(language);
  const { length } = text;
  let at = from;
  while (at < to || (at < length && isAmongDivided(text, at))) {
    const start = at;
    let hash = FNV_BASIS;
    let unit = text.charCodeAt(at);
    while (at < length && unit < 128 && ASCII[unit] === ALNUM) {
      hash = Math.imul(hash ^ LOWER[unit]!, FNV_PRIME);
      at += 1;
      unit = text.charCodeAt(at);
    }
    if (at > start && dividesAt(text, at, start)) {
      words.push(known.written(text, { start, end: at, hash }));
      continue;
    }
    at = start;
    const kind = classAt(text, at);
    if (kind === OTHER || kind === MARK) {
      at += width(text, at);
      continue;
    }
    at = endOfWord(text, start, kind);
    const norm = normOfWord(text.slice(start, at), kind);
    if (norm !== '') words.push(known.folded(norm));
  }
  return at;
}

/** Returns the stems of the words that are not stop words, in order, with repetitions: the terms of a text or a query. */
export function analyse(text: string, language = 'english'): string[] {
  return termsAmong(wordsOf(text, language));
}

/** Returns what `analyse` does, and gives way to the event loop meanwhile: for texts of any length. */
export async function analyseInSlices(text: string, language = 'english'): Promise<string[]> {
  const pause = slicer();
  const words: Word[] = [];
  for (let at = 0; at < text.length; ) {
    at = readWords(text, { from: at, to: Math.min(text.length, at + SLICE), language, words });
    await pause();
  }
  return termsAmong(words);
}

/** Returns the stems of the words that are not stop words: the terms of a text whose words were read. */
export function termsAmong(words: readonly Word[]): string[] {
  const stems: string[] = [];
  for (const word of words) if (!word.stop) stems.push(word.stem);
  return stems;
}

class KnownWords {
  private readonly words = new Array<Word | undefined>(SETS * WAYS).fill(undefined);
  /** Which of a full set goes next. */
  private next = 0;

  constructor(private readonly language: string) {}

  /** Returns the word of ASCII letters and digits that stands at [start, end); `hash` is that of its lower case. */
  written(text: string, { start, end, hash }: { start: number; end: number; hash: number }): Word {
    const length = end - start;
    if (length > LONGEST) return this.make(text.slice(start, end).toLowerCase());
    const first = firstOf(hash);
    for (let way = first; way < first + WAYS; way += 1) {
      const word = this.words[way];
      if (word === undefined) break;
      if (word.norm.length === length && isWritten(word.norm, text, start)) return word;
    }
    const norm = text.slice(start, end).toLowerCase();
    return this.keep(norm, first);
  }

  /** Returns the word of a folded form. */
  folded(norm: string): Word {
    if (norm.length > LONGEST) return this.make(norm);
    let hash = FNV_BASIS;
    for (let i = 0; i < norm.length; i += 1) hash = Math.imul(hash ^ norm.charCodeAt(i), FNV_PRIME);
    const first = firstOf(hash);
    for (let way = first; way < first + WAYS; way += 1) {
      const word = this.words[way];
      if (word === undefined) break;
      if (word.norm === norm) return word;
    }
    return this.keep(norm, first);
  }

  private make(norm: string): Word {
    return {
      norm,
      stem: stem(norm, this.language),
      stop: isStopWord(norm, this.language),
      languages: languagesWith(norm),
    };
  }

  private keep(norm: string, first: number): Word {
    const word = this.make(norm.length < SLICED ? norm : copyOf(norm));
    for (let way = first; way < first + WAYS; way += 1) {
      if (this.words[way] !== undefined) continue;
      this.words[way] = word;
      return word;
    }
    this.words[first + this.next] = word;
    this.next = (this.next + 1) % WAYS;
    return word;
  }
}

const languages = new Map<string, KnownWords>();

function knownIn(language: string): KnownWords {
  let known = languages.get(language);
  if (known === undefined) {
    known = new KnownWords(language);
    languages.set(language, known);
  }
  return known;
}

/** Returns the place of the first word of the set that a hash belongs to. */
function firstOf(hash: number): number {
  return ((hash ^ (hash >>> 15)) & (SETS - 1)) * WAYS;
}

function isWritten(norm: string, text: string, start: number): boolean {
  for (let i = 0; i < norm.length; i += 1) {
    if (norm.charCodeAt(i) !== LOWER[text.charCodeAt(start + i)]) return false;
  }
  return true;
}

function copyOf(norm: string): string {
  return Buffer.from(norm).toString();
}
