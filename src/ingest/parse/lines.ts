/** Longer lines and paragraphs are divided, so that no step works long on one. In characters. */
export const LONGEST_LINE = 16_384;

/**
 * Yields the lines of a text from an offset on, without their ends, one at a time: a long text is never split at once. A
 * very long line comes in pieces that end with a sentence, or at least with a word.
 */
export function* lines(text: string, from = 0): Generator<string> {
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

/** Returns where to cut a piece of a line: after its last sentence, else after its last word, else before a half character. */
function cutAt(piece: string): number {
  for (let at = piece.length - 1; at > piece.length / 2; at -= 1) {
    if ('。！？'.includes(piece[at - 1]!) || (piece[at] === ' ' && '.!?'.includes(piece[at - 1]!))) return at;
  }
  const space = piece.lastIndexOf(' ');
  if (space > piece.length / 2) return space;
  const last = piece.charCodeAt(piece.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? piece.length - 1 : piece.length;
}

/** Counts the columns of white space in front; a tab counts to the next multiple of four. */
export function indentOf(line: string): number {
  let columns = 0;
  for (const character of line) {
    if (character === ' ') columns += 1;
    else if (character === '\t') columns += 4 - (columns % 4);
    else return columns;
  }
  return columns;
}

const ITEM = /^\s*(?:[-*+•‣▪◦]|\d{1,3}[.)]|[a-z]\))\s+\S/u;

/** Returns true for a line that starts with a bullet or a number. */
export function isListItem(line: string): boolean {
  return ITEM.test(line);
}

/** Returns true for a line of a table drawn with bars. */
export function isTableRow(line: string): boolean {
  const trimmed = line.trim();
  return trimmed.length > 2 && trimmed.startsWith('|') && trimmed.indexOf('|', 1) !== -1;
}
