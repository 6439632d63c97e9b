export const OTHER = 1;
export const LETTER = 2;
export const DIGIT = 3;
/** Continues a word, never starts one. */
export const MARK = 4;
/** A letter of a script written without spaces: a token of its own. */
export const IDEOGRAPH = 5;

const IDEOGRAPHS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
/** Classes of the basic plane, filled on first use. */
const classes = new Uint8Array(0x10000);

function classify(code: number): number {
  const character = String.fromCodePoint(code);
  if (/\p{M}/u.test(character)) return MARK;
  if (/\p{N}/u.test(character)) return DIGIT;
  if (/\p{L}/u.test(character)) return IDEOGRAPHS.test(character) ? IDEOGRAPH : LETTER;
  return OTHER;
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
