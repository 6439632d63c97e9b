export const OTHER = 1;
export const LETTER = 2;
export const DIGIT = 3;
/** Continues a word, never starts one. */
export const MARK = 4;
/** A letter that is a token of its own: of Chinese and Japanese, or a syllable of Korean, whose particles stick to words. */
export const IDEOGRAPH = 5;
/** A letter of a script that writes words of several letters without spaces: a dictionary finds the words. */
export const UNSPACED = 6;

const IDEOGRAPHS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
/** Vowels and final consonants of Korean that are written apart from the first consonant of their syllable. */
const IN_SYLLABLE = /[\u1160-\u11ff\ud7b0-\ud7fb]/u;
const UNSPACED_SCRIPTS = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
/** Classes of the basic plane, filled on first use. */
const classes = new Uint8Array(0x10000);

function classify(code: number): number {
  const character = String.fromCodePoint(code);
  if (/\p{M}/u.test(character) || IN_SYLLABLE.test(character)) return MARK;
  if (/\p{N}/u.test(character)) return DIGIT;
  if (!/\p{L}/u.test(character)) return OTHER;
  if (IDEOGRAPHS.test(character)) return IDEOGRAPH;
  return UNSPACED_SCRIPTS.test(character) ? UNSPACED : LETTER;
}

/** Returns the class of a code point; `undefined` (end of text) counts as `OTHER`. */
function characterClass(code: number | undefined): number {
  if (code === undefined || Number.isNaN(code)) return OTHER;
  if (code > 0xffff) return classify(code);
  const known = classes[code] as number;
  if (known !== 0) return known;
  const found = classify(code);
  classes[code] = found;
  return found;
}

/** Returns the class of the code point that starts at a position of a text. */
export function classAt(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return unit >= 0xd800 && unit <= 0xdbff ? characterClass(text.codePointAt(at)) : characterClass(unit);
}

/** Characters of which two say about as much as a word of other scripts. */
const DENSE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/gu;
/** Scripts below this code have none of them. */
const MAY_BE_DENSE = /[\u0e00-\u{10ffff}]/u;

/** Returns how many characters of a text belong to a script that writes words densely, without spaces. */
export function countDense(text: string): number {
  return MAY_BE_DENSE.test(text) ? (text.match(DENSE)?.length ?? 0) : 0;
}

/** Letters that are divided into words at once; a longer run has hardly a word across the cut. */
const LONGEST_RUN = 1000;
const segmenter = new Intl.Segmenter('th', { granularity: 'word' });
/** The run divided last: its words are requested one after the other. */
let run: { readonly text: string; readonly start: number; readonly ends: readonly number[] } = {
  text: '',
  start: 0,
  ends: [],
};

/** Returns where the word ends that starts at an `UNSPACED` letter. */
export function unspacedEnd(text: string, start: number): number {
  const known = run.ends.at(-1) ?? 0;
  if (start < run.start || start >= known || run.text !== text) run = { text, start, ends: endsOfWords(text, start) };
  return run.ends.find((end) => end > start)!;
}

function endsOfWords(text: string, start: number): number[] {
  let end = start;
  while (end < text.length && end - start < LONGEST_RUN) {
    const kind = classAt(text, end);
    // These scripts have no surrogate pairs; a mark that is one belongs to another script.
    if ((kind !== UNSPACED && kind !== MARK) || text.charCodeAt(end) >= 0xd800) break;
    end += 1;
  }
  return Array.from(segmenter.segment(text.slice(start, end)), ({ index, segment }) => start + index + segment.length);
}
