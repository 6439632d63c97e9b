import { type Word, wordsOf } from '../../core/text/words.js';

/** Tokens before and after a mention that count as near it. */
const BEFORE = 8;
const AFTER = 5;
/** A word after the mention is as far as one and a half before it. */
const AFTER_DISTANCE = 1.5;
/** Distance at which a word counts 1/e. */
const REACH = 6;
/** Words that share their first letters are nearly the same. */
const PREFIX = 5;
export const NEARLY = 0.8;

const NONE: ReadonlySet<string> = new Set();

interface TokenRange {
  readonly token: number;
  readonly length: number;
}

/** The tokens of a passage's sentences, computed on first use. */
export class SentenceWords {
  private readonly made = new Map<number, readonly Word[]>();

  constructor(
    private readonly text: string,
    private readonly spans: ReadonlyArray<readonly [number, number]>,
    private readonly language: string,
  ) {}

  of(sentence: number): readonly Word[] {
    let words = this.made.get(sentence);
    if (words === undefined) {
      const span = this.spans[sentence];
      words = span === undefined ? [] : wordsOf(this.text.slice(...span), this.language);
      this.made.set(sentence, words);
    }
    return words;
  }
}

/**
 * Returns how much of what the question asks stands near a mention: Σ idf·exp(−distance/6) of its open terms within 8
 * tokens before or 5 after, over Σ idf. 0..1. `others`: terms that are names of other items; they lead there.
 */
export function wordsNear(
  open: ReadonlyMap<string, number>,
  words: readonly Word[],
  { token, length }: TokenRange,
  others: ReadonlySet<string> = NONE,
): number {
  let total = 0;
  let found = 0;
  const from = Math.max(0, token - BEFORE);
  const to = Math.min(words.length, token + length + AFTER);
  for (const [term, idf] of open) {
    total += idf;
    if (others.has(term)) continue;
    let best = 0;
    for (let i = from; i < to; i += 1) {
      if (i >= token && i < token + length) continue;
      const same = likeness(term, words[i]!);
      if (same === 0) continue;
      const distance = i < token ? token - i : AFTER_DISTANCE * (i - token - length + 1);
      best = Math.max(best, same * Math.exp(-distance / REACH));
    }
    found += best * idf;
  }
  return total === 0 ? 0 : found / total;
}

/** Returns how alike a stem of the question and a word are: 1 for the same stem, 0.8 for the same first letters. */
export function likeness(term: string, word: Word): number {
  if (word.stem === term) return 1;
  if (term.length < PREFIX || word.norm.length < PREFIX) return 0;
  return word.norm.startsWith(term.slice(0, PREFIX)) ? NEARLY : 0;
}
