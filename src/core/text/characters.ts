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

/** Units that are divided into words at once; a longer run of letters has hardly a word across the cut. */
const LONGEST_RUN = 1000;
/** Separating units between two runs that are divided along with them: a call of the dictionary takes as long as ten of them. */
const LONGEST_GAP = 8;
const segmenter = new Intl.Segmenter('th', { granularity: 'word' });
/** The runs divided last: their words are requested one after the other, `next` is the one after the last. */
let divided: { readonly text: string; readonly start: number; readonly ends: readonly number[]; next: number } = {
  text: '',
  start: 0,
  ends: [],
  next: 0,
};

/** Returns where the word ends that starts at an `UNSPACED` letter. */
export function unspacedEnd(text: string, start: number): number {
  const known = divided.ends.at(-1) ?? 0;
  if (start < divided.start || start >= known || divided.text !== text) {
    divided = { text, start, ends: endsOfWords(text, start), next: 0 };
  }
  const { ends } = divided;
  if (divided.next > 0 && ends[divided.next - 1]! > start) divided.next = 0;
  while (ends[divided.next]! <= start) divided.next += 1;
  return ends[divided.next]!;
}

/** Returns whether a place lies among runs that are divided at once: whoever stops there and comes back may find other words. */
export function isAmongDivided(text: string, at: number): boolean {
  return at >= divided.start && at < (divided.ends.at(-1) ?? 0) && divided.text === text;
}

/** Returns where words end in the runs of `UNSPACED` letters from `start` on that are divided at once, in order. */
function endsOfWords(text: string, start: number): number[] {
  const runs = endsOfRuns(text, start);
  const words = segmenter.segment(text.slice(start, runs.at(-1)));
  const ends = Array.from(words, ({ index, segment }) => start + index + segment.length);
  // A word ends with its run, also where the dictionary joins a sign to it.
  return [...new Set([...ends, ...runs])].sort((a, b) => a - b);
}

function endsOfRuns(text: string, start: number): number[] {
  const ends: number[] = [];
  for (let at = start; classAt(text, at) === UNSPACED; ) {
    let end = at;
    while (end - at < LONGEST_RUN && continuesRun(text, end)) end += 1;
    if (ends.length > 0 && end - start > LONGEST_RUN) break;
    ends.push(end);
    at = end;
    while (at - end < LONGEST_GAP && separates(text.charCodeAt(at))) at += 1;
  }
  return ends;
}

function continuesRun(text: string, at: number): boolean {
  const kind = classAt(text, at);
  // These scripts have no surrogate pairs; a mark that is one belongs to another script.
  return (kind === UNSPACED || kind === MARK) && text.charCodeAt(at) < 0xd800;
}

/** Returns whether words surely end before a unit and after it: ASCII, and a zero width space. */
function separates(unit: number): boolean {
  return unit < 0x80 || unit === 0x200b;
}
