import { classAt, DIGIT, IDEOGRAPH, LETTER, MARK, OTHER, UNSPACED, unspacedEnd } from './characters.js';
import { fold } from './fold.js';

export interface Token {
  /** As written. */
  readonly text: string;
  /** NFKD folded, lower case, marks dropped; see `tokenize` for what happens to inner signs. */
  readonly norm: string;
  /** UTF-16 offsets: `text === source.slice(start, end)`. */
  readonly start: number;
  readonly end: number;
}

/** Class in `ASCII` of a letter or digit. */
export const ALNUM = 1;
const PERIOD = 46;
const COMMA = 44;
const AMPERSAND = 38;
const PLUS = 43;
const HASH = 35;

/**
 * Returns the words of letters and digits, in order. What belongs to a word besides them:
 * - an apostrophe between letters, written ' or ’: `don't`, `O'Brien` (norm with ');
 * - `&` between letters: `AT&T`;
 * - a period between digits: `3.5`, `v1.2`; commas of thousands: `1,890` (norm `1890`);
 * - periods of single letters: `U.S.`, `J.R.R.`, `e.g.`; the norm drops them from three letters on (`usa`), keeps the
 *   inner one of two (`u.s`), so that "U.S." and "us", "a.m." and "am" stay apart;
 * - `++` or `#` right after a letter: `C++`, `C#`.
 * Hyphens, underscores, slashes and any other sign divide. Each Han, Hiragana or Katakana character is a word, and each
 * syllable of Hangul; words of Thai, Lao, Khmer and Burmese are those of Unicode's dictionaries (`Intl.Segmenter`).
 */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  const length = text.length;
  let at = 0;
  while (at < length) {
    const kind = classAt(text, at);
    if (kind === OTHER || kind === MARK) {
      at += width(text, at);
      continue;
    }
    const ascii = asciiWordEnd(text, at);
    const end = ascii > at ? ascii : endOfWord(text, at, kind);
    const written = text.slice(at, end);
    const norm = ascii > at ? written.toLowerCase() : normOfWord(written, kind);
    if (norm !== '') tokens.push({ text: written, norm, start: at, end });
    at = end;
  }
  return tokens;
}

/** Class of an ASCII character: `ALNUM`, 2 a sign that always divides, 0 a sign that may join. */
export const ASCII = Uint8Array.from({ length: 128 }, (_, unit) => {
  if (/[A-Za-z0-9]/.test(String.fromCharCode(unit))) return ALNUM;
  return /['&.,+#]/.test(String.fromCharCode(unit)) ? 0 : 2;
});

/** Returns the end of a word of ASCII letters and digits before a sign that always divides; else `start`. The fast path. */
function asciiWordEnd(text: string, start: number): number {
  const length = text.length;
  let at = start;
  let unit = text.charCodeAt(at);
  while (at < length && unit < 128 && ASCII[unit] === ALNUM) {
    at += 1;
    unit = text.charCodeAt(at);
  }
  return dividesAt(text, at, start) ? at : start;
}

/** Returns whether a word of ASCII letters and digits that began at `start` surely ends before `at`. */
export function dividesAt(text: string, at: number, start: number): boolean {
  if (at === text.length) return true;
  const unit = text.charCodeAt(at);
  if (unit < 128 && ASCII[unit] === 2) return true;
  return (unit === PERIOD || unit === COMMA) && at - start > 1 && spaceAfter(text, at);
}

/** Returns where the word that starts at `start` ends; `kind`: the class of its first character. */
export function endOfWord(text: string, start: number, kind: number): number {
  if (kind === UNSPACED) return unspacedEnd(text, start);
  return kind === IDEOGRAPH ? ideographEnd(text, start) : wordEnd(text, start);
}

/** Returns the folded form of a word as written; empty where it is signs alone. */
export function normOfWord(written: string, kind: number): string {
  return kind === IDEOGRAPH || kind === UNSPACED ? rememberedNorm(written) : normOf(written);
}

function spaceAfter(text: string, at: number): boolean {
  const next = text.charCodeAt(at + 1);
  return next === 32 || next === 10 || Number.isNaN(next);
}

/** Returns the number of UTF-16 units of the character at a position. */
export function width(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return unit >= 0xd800 && unit <= 0xdbff && at + 1 < text.length && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00
    ? 2
    : 1;
}

function ideographEnd(text: string, start: number): number {
  let at = start + width(text, start);
  while (at < text.length && classAt(text, at) === MARK) at += width(text, at);
  return at;
}

function wordEnd(text: string, start: number): number {
  let at = start;
  let last = OTHER;
  for (;;) {
    const kind = at < text.length ? classAt(text, at) : OTHER;
    if (kind === LETTER || kind === DIGIT || kind === MARK) {
      if (kind !== MARK) last = kind;
      at += width(text, at);
      continue;
    }
    if (at >= text.length || kind === IDEOGRAPH || kind === UNSPACED) return at;
    const unit = text.charCodeAt(at);
    if (unit === PERIOD && last === LETTER && at - start === 1) {
      const acronym = acronymEnd(text, start);
      if (acronym > at) return acronym;
    }
    if (!joins(text, at, { unit, last })) return suffixEnd(text, at, { unit, last });
    at += 1;
  }
}

/** Returns true where the sign at a position joins the letters or digits on its two sides. */
function joins(text: string, at: number, { unit, last }: { unit: number; last: number }): boolean {
  const next = at + 1 < text.length ? classAt(text, at + 1) : OTHER;
  if (isApostrophe(unit) || unit === AMPERSAND) return last === LETTER && next === LETTER;
  if (unit === PERIOD) return last === DIGIT && next === DIGIT;
  if (unit === COMMA) return last === DIGIT && threeDigits(text, at + 1);
  return false;
}

function suffixEnd(text: string, at: number, { unit, last }: { unit: number; last: number }): number {
  if (last !== LETTER) return at;
  const end = unit === HASH ? at + 1 : unit === PLUS && text.charCodeAt(at + 1) === PLUS ? at + 2 : at;
  return end > at && (end >= text.length || classAt(text, end) === OTHER) ? end : at;
}

/** Returns the end of `X.Y.` or `X.Y` (single letters), or `start` where there is none. The last period belongs to it. */
function acronymEnd(text: string, start: number): number {
  let at = start;
  let letters = 0;
  while (at < text.length && classAt(text, at) === LETTER && width(text, at) === 1) {
    const next = at + 1 < text.length ? classAt(text, at + 1) : OTHER;
    if (next !== OTHER) break;
    letters += 1;
    at += 1;
    if (text.charCodeAt(at) !== PERIOD) return letters >= 2 ? at : start;
    at += 1;
  }
  return letters >= 2 ? at : start;
}

function threeDigits(text: string, at: number): boolean {
  for (let i = 0; i < 3; i += 1) if (at + i >= text.length || classAt(text, at + i) !== DIGIT) return false;
  return at + 3 >= text.length || classAt(text, at + 3) !== DIGIT;
}

function isApostrophe(unit: number): boolean {
  return unit === 39 || unit === 0x2019 || unit === 0x02bc;
}

const PLAIN_WORD = /^[A-Za-z0-9]+$/;
const FOREIGN = /[^\p{L}\p{N}\p{M}'.&+#]/gu;
const ACRONYM = /^\p{L}(?:\.\p{L})+\.?$/u;

/** Norms of short words without capitals: a text repeats few of them, and folding one takes ten times as long as a look-up. */
const norms = new Map<string, string>();
const MOST_NORMS = 50_000;
/** A part of a string this long or longer is no copy: whoever keeps it keeps the whole text in memory. */
export const SLICED = 13;

function rememberedNorm(written: string): string {
  if (written.length >= SLICED) return normOf(written);
  const known = norms.get(written);
  if (known !== undefined) return known;
  const norm = normOf(written);
  if (norms.size < MOST_NORMS) norms.set(written, norm);
  return norm;
}

function normOf(written: string): string {
  if (PLAIN_WORD.test(written)) return written.toLowerCase();
  const folded = fold(written)
    .replace(/[’ʼ]/gu, "'")
    .replace(/(\d),(?=\d)/gu, '$1')
    .replace(FOREIGN, '');
  if (!ACRONYM.test(folded)) return folded;
  const letters = folded.replace(/\./gu, '');
  return letters.length > 2 ? letters : `${letters[0]}.${letters[1]}`;
}
