/** Lines of fewer characters tell nothing of where lines are wrapped. */
export const TELLING = 50;

/** Returns the characters of the longest line. @param {string[]} written */
export function longestOf(written) {
  return written.reduce((most, line) => Math.max(most, line.length), 0);
}

/** @param {string[]} written */
export function joinLines(written) {
  const longest = longestOf(written);
  let text = '';
  written.forEach((line, i) => {
    const before = written[i - 1];
    const long = before !== undefined && before.length > 0.7 * longest && longest >= TELLING;
    const wrapped = long && !(isTurn(before) && isTurn(line)) && isOneText(before, line);
    if (i === 0) text = line;
    else if (!wrapped) text += `\n${line}`;
    else text += ` ${line.slice(markOf(line).length)}`;
  });
  return text;
}

/** The marks of a quote of a mail or a comment of a program, which each of its lines has. */
const LINE_MARK = /^(?:(?:>\s?)+|(?:#{1,3}|\/{2,3}|;{1,2})\s+)/u;
/** How a line of a log begins: with a time. */
export const TIME = /^\[?(?:\d{4}-\d\d-\d\d[T ]|\d\d?[/.]\p{L}{3}[/.]\d{4}:|\p{Lu}\p{Ll}{2} [ \d]?\d )\d\d:\d\d/u;
/** A gap between columns. */
const GAP = /\S(?:\t| {3})\s*\S/u;

/** @param {string} line */
function markOf(line) {
  return LINE_MARK.exec(line)?.[0] ?? '';
}

/** Returns true where a line goes on with the text of the one before it: both stand in one quote or comment, and neither in a log or in columns. @param {string} before @param {string} line */
function isOneText(before, line) {
  if (markOf(before).replace(/\s/gu, '') !== markOf(line).replace(/\s/gu, '')) return false;
  return !TIME.test(line) && !(GAP.test(before) && GAP.test(line));
}

/**
 * Returns true for a line of a dialogue, or one with a label: "Alice: …".
 * @param {string} line
 */
export function isTurn(line) {
  return /^[\p{L}\p{N}_.-]{1,30}:\s/u.test(line);
}
