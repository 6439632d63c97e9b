/** Where JSON.parse tells the character that it stopped at. */
const AT = /in JSON at position (\d+)(?: \(line \d+ column \d+\))?$/u;
const AT_END = /^Unexpected end of JSON input$/u;

/** Says that a text is cut off. @param {number | undefined} line The last one. */
export function cutOffOn(line) {
  return `is cut off: its JSON ends within a value, on line ${line}; export or copy it again`;
}

/**
 * Returns the line on which a text ceases to be JSON, undefined where the error does not say, and whether it is cut off: what there is of it is JSON.
 * @param {string} text @param {unknown} error as JSON.parse throws it for the text @returns {{ line: number | undefined, isCutOff: boolean }}
 */
export function jsonFault(text, error) {
  const whole = text.trimEnd();
  const message = error instanceof Error ? error.message : '';
  const position = AT_END.test(message) ? whole.length : Number(AT.exec(message)?.[1] ?? Number.NaN);
  if (Number.isNaN(position)) return { line: undefined, isCutOff: false };
  return { line: whole.slice(0, position).split('\n').length, isCutOff: position >= whole.length };
}
