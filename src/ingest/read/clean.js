/**
 * Returns a text as every store accepts it: line ends are \n; no NUL or other control characters, no byte order mark, no
 * lone surrogates (they become U+FFFD).
 * @param {string} text
 * @returns {string}
 */
export function cleanText(text) {
  return text
    .replace(/\r\n?|[\u2028\u2029\u000b\u000c\u0085]/gu, '\n')
    .replace(/[\u0000-\u0008\u000e-\u001f\u007f-\u009f\ufeff]/gu, '')
    .replace(/\p{Cs}/gu, '\ufffd');
}
