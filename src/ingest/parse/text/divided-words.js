/** A word that the end of a line divides, with the sign behind it: the letters at the hyphen are small ones. */
const DIVIDED =
  /(?<![\p{L}\p{N}_./@:-])(\p{L}?\p{Ll}{1,40})-\r?\n([ \t]{0,40})(\p{Ll}{2,40})(?![\p{L}\p{N}_-])(\S{0,20})(?!\S)[ \t]{0,40}(\n?)/gu;
const WORD = /\p{L}+(?:-\p{L}+)*/gu;

/**
 * Returns a text in which words that a hyphen divides at the end of a line are whole in the first of the two lines, where the text has them elsewhere: as
 * "implementation", or with their hyphen as "well-known". Others may be either, and stay.
 * @param {string} text
 */
export function withWholeWords(text) {
  const divided = new Set();
  for (const [, first, , second] of text.matchAll(DIVIDED)) {
    divided.add(`${first}${second}`.toLowerCase());
    divided.add(`${first}-${second}`.toLowerCase());
  }
  if (divided.size === 0) return text;
  const known = new Set();
  for (const [written] of text.matchAll(WORD)) {
    const word = written.toLowerCase();
    if (divided.has(word)) known.add(word);
  }
  if (known.size === 0) return text;
  return text.replace(DIVIDED, (written, first, margin, second, sign, end) => {
    const word = [`${first}-${second}`, `${first}${second}`].find((one) => known.has(one.toLowerCase()));
    return word === undefined ? written : `${word}${sign}\n${end === '' ? margin : ''}`;
  });
}
