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

/** Folds a text: NFKD, lower case, optional marks dropped, recomposed (NFC, so that Hangul stays syllables). Idempotent. */
export function fold(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .normalize('NFKD')
    .replace(MARKS, '')
    .replace(UNDECOMPOSED, (letter) => BASE_LETTERS[letter] ?? letter)
    .normalize('NFC');
}
