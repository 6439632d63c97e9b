/** Lines of a text from an offset on, without their ends; one at a time, so that a long text is never split at once. */
export function* lines(text: string, from = 0): Generator<string> {
  let start = from;
  for (let at = text.indexOf('\n', start); at !== -1; at = text.indexOf('\n', start)) {
    yield text.charCodeAt(at - 1) === 13 && at > start ? text.slice(start, at - 1) : text.slice(start, at);
    start = at + 1;
  }
  if (start < text.length) yield text.slice(start);
}

/** Columns of white space in front; a tab counts to the next multiple of four. */
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

/** True for a line that starts with a bullet or a number. */
export function isListItem(line: string): boolean {
  return ITEM.test(line);
}

/** True for a line of a table drawn with bars. */
export function isTableRow(line: string): boolean {
  const trimmed = line.trim();
  return trimmed.length > 2 && trimmed.startsWith('|') && trimmed.indexOf('|', 1) !== -1;
}
