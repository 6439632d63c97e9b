/**
 * Returns false for a text that not every engine can store: with NUL, or half a surrogate pair.
 * @param {string} text
 * @returns {boolean}
 */
export function isStorable(text) {
  return !text.includes('\0') && text.isWellFormed();
}

/**
 * Returns the text without NUL; half a surrogate pair becomes U+FFFD.
 * @param {string} text
 * @returns {string}
 */
export function storableText(text) {
  return (text.includes('\0') ? without(text, NUL) : text).toWellFormed();
}

/**
 * Marks that nobody sees and that divide words: soft hyphen, zero width space, word joiner. A zero width space stays beside
 * letters of Thai, Lao, Myanmar and Khmer, which write no spaces: it says there where a word ends.
 */
const INVISIBLE = /[\u00ad\u2060]|(?<![\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff])\u200b/u;
const UNSPACED = new Uint8Array(0x10000).fill(1, 0xe00, 0xf00).fill(1, 0x1000, 0x10a0).fill(1, 0x1780, 0x1800);
const NUL = unitsOf(0);
const MARKS = unitsOf(0xad, 0x200b, 0x2060);
const NUL_AND_MARKS = unitsOf(0, 0xad, 0x200b, 0x2060);

/**
 * Returns whether a text holds marks that nobody sees and that divide its words.
 * @param {string} text
 * @returns {boolean}
 */
export function hasInvisible(text) {
  return INVISIBLE.test(text);
}

/**
 * Returns a text that is written to be read without NUL and without marks that nobody sees and that divide its words; half a
 * surrogate pair becomes U+FFFD.
 * @param {string} text
 * @returns {string}
 */
export function readableText(text) {
  return without(text, NUL_AND_MARKS).toWellFormed();
}

/**
 * Returns a text without some of its UTF-16 units, in one pass: replacing five million of them one by one takes half a second.
 * A zero width space among them stays where `INVISIBLE` leaves it.
 * @param {string} text
 * @param {Uint8Array} dropped 1 for each unit to leave out.
 */
function without(text, dropped) {
  const kept = new Uint16Array(text.length);
  let length = 0;
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    if (dropped[unit] === 1 && !(unit === 0x200b && UNSPACED[text.charCodeAt(i - 1)] === 1)) continue;
    kept[length] = unit;
    length += 1;
  }
  return Buffer.from(kept.buffer, 0, 2 * length).toString('utf16le');
}

/** @param {readonly number[]} units */
function unitsOf(...units) {
  const dropped = new Uint8Array(0x10000);
  for (const unit of units) dropped[unit] = 1;
  return dropped;
}

/**
 * Returns a text as every store accepts it and a reader would search it: line ends are \n; no NUL or other control
 * characters, no byte order mark, no invisible marks inside words, no lone surrogates (they become U+FFFD).
 * @param {string} text
 * @returns {string}
 */
export function cleanText(text) {
  return (hasInvisible(text) ? without(text, MARKS) : text)
    .replace(/\r\n?|[\u2028\u2029\u000b\u000c\u0085]/gu, '\n')
    .replace(/[\u0000-\u0008\u000e-\u001f\u007f-\u009f\ufeff]/gu, '')
    .replace(/\p{Cs}/gu, '\ufffd');
}
