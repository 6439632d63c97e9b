/** Letters that Unicode does not decompose, with the base letters that people write for them. */
const BASE_LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  ħ: 'h',
};

const UNDECOMPOSED = /[ßæœøłđðþıħ]/gu;
/** Marks that are optional in writing: Latin, Greek, Cyrillic accents, Hebrew points, Arabic vowels. Indic vowel signs stay. */
const MARKS =
  /[\u0300-\u036f]|[\u1ab0-\u1aff\u1dc0-\u1dff]|[\u0591-\u05bd\u05bf]|[\u05c1\u05c2]|[\u05c4\u05c5]|\u05c7|[\u064b-\u065f]|\u0670/gu;

/** A text with a character that is no ASCII. */
const NOT_ASCII = /[^\0-\x7f]/u;

/** Folds a text: NFKD, lower case, optional marks dropped, recomposed (NFC, so that Hangul stays syllables). Idempotent. */
export function fold(text: string): string {
  // Normal forms leave ASCII as it is, and most words are nothing else.
  if (!NOT_ASCII.test(text)) return text.toLowerCase();
  const folded = normalise(text, 'NFKD')
    .toLowerCase()
    .normalize('NFKD')
    .replace(MARKS, '')
    .replace(UNDECOMPOSED, (letter) => BASE_LETTERS[letter] ?? letter);
  return normalise(folded, 'NFC');
}

/** Marks that follow each other in one run; no writing has as many (the Stream-Safe Text Format of UAX #15, section 13). */
const MOST_MARKS = 30;
const LONG_RUN = new RegExp(`(\\p{M}{${MOST_MARKS}})\\p{M}+`, 'gu');

/**
 * Returns the Unicode normal form of a text without the marks after the thirtieth of a run: normalising orders the marks of
 * a run by insertion, and a run of 50,000 would hold the event loop for two seconds.
 */
export function normalise(text: string, form: 'NFC' | 'NFKC' | 'NFKD'): string {
  return (text.length > MOST_MARKS ? text.replace(LONG_RUN, '$1') : text).normalize(form);
}
