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
  return text.replaceAll('\0', '').toWellFormed();
}

/**
 * Marks that nobody sees and that divide words: soft hyphen, zero width space, word joiner. A zero width space stays beside
 * letters of Thai, Lao, Myanmar and Khmer, which write no spaces: it says there where a word ends.
 */
const INVISIBLE = /[\u00ad\u2060]|(?<![\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff])\u200b/u;
const ALL_INVISIBLE = new RegExp(INVISIBLE, 'gu');

/**
 * Returns whether a text holds marks that nobody sees and that divide its words.
 * @param {string} text
 * @returns {boolean}
 */
export function hasInvisible(text) {
  return INVISIBLE.test(text);
}

/**
 * Returns a text without marks that nobody sees and that divide its words.
 * @param {string} text
 * @returns {string}
 */
export function withoutInvisible(text) {
  return text.replace(ALL_INVISIBLE, '');
}

/**
 * Returns a text as every store accepts it and a reader would search it: line ends are \n; no NUL or other control
 * characters, no byte order mark, no invisible marks inside words, no lone surrogates (they become U+FFFD).
 * @param {string} text
 * @returns {string}
 */
export function cleanText(text) {
  return withoutInvisible(text)
    .replace(/\r\n?|[\u2028\u2029\u000b\u000c\u0085]/gu, '\n')
    .replace(/[\u0000-\u0008\u000e-\u001f\u007f-\u009f\ufeff]/gu, '')
    .replace(/\p{Cs}/gu, '\ufffd');
}
