/** Longer lines and paragraphs are divided, so that no step works long on one. In characters. */
export const LONGEST_LINE = 16_384;

/**
 * Yields the lines of a text from an offset on, without their ends, one at a time: a long text is never split at once. A
 * very long line comes in pieces that end with a sentence, or at least with a word.
 * @param {string} text
 * @param {number} [from]
 * @returns {Generator<string>}
 */
export function* lines(text, from = 0) {
  let start = from;
  while (start < text.length) {
    const found = text.indexOf('\n', start);
    const end = found === -1 ? text.length : found;
    while (end - start > LONGEST_LINE) {
      const cut = start + cutAt(text.slice(start, start + LONGEST_LINE));
      yield text.slice(start, cut);
      start = cut;
    }
    yield text.slice(start, end);
    start = end + 1;
  }
}

/**
 * Yields a text in pieces of at most `LONGEST_LINE` characters that end with a line, a sentence or a word.
 * @param {string} text
 * @returns {Generator<string>}
 */
export function* pieces(text) {
  let start = 0;
  while (text.length - start > LONGEST_LINE) {
    const piece = text.slice(start, start + LONGEST_LINE);
    const line = piece.lastIndexOf('\n');
    const cut = start + (line > 0 ? line : cutAt(piece));
    yield text.slice(start, cut);
    start = cut;
  }
  yield start === 0 ? text : text.slice(start);
}

/**
 * Returns where to cut a piece of a line: after its last sentence, else after its last word, else before a half character.
 * @param {string} piece
 */
function cutAt(piece) {
  for (let at = piece.length - 1; at > piece.length / 2; at -= 1) {
    if ('。！？'.includes(piece[at - 1]) || (piece[at] === ' ' && '.!?'.includes(piece[at - 1]))) return at;
  }
  const space = piece.lastIndexOf(' ');
  if (space > piece.length / 2) return space;
  const last = piece.charCodeAt(piece.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? piece.length - 1 : piece.length;
}

/** Returns a text with one space or line end where several stand. @param {string} text */
export function tidy(text) {
  return text
    .replace(/[^\S\n]+/gu, ' ')
    .replace(/ ?\n ?/gu, '\n')
    .replace(/\n{2,}/gu, '\n')
    .trim();
}

const ITEM = /^\s*(?:[-*+•‣▪◦]|\d{1,3}[.)]|[a-z]\))\s+\S/u;

/**
 * Returns true for a line that starts with a bullet or a number.
 * @param {string} line
 */
export function isListItem(line) {
  return ITEM.test(line);
}

/**
 * Returns true for a line of a table drawn with bars.
 * @param {string} line
 */
export function isTableRow(line) {
  const trimmed = line.trim();
  return trimmed.length > 2 && trimmed.startsWith('|') && trimmed.indexOf('|', 1) !== -1;
}
