/** @typedef {import('../parts.js').Part} Part */

/**
 * Returns what a document says of itself in a line, as a row has it: "authors: Ada Lovelace, Bo Reeve; date: 2026-03-01."; no part where it says nothing.
 * @param {{ authors?: readonly string[], version?: string | undefined, date?: string | undefined, tags?: readonly string[], description?: string | undefined }} about
 * @returns {Part[]}
 */
export function bylineParts({ authors = [], version, date, tags = [], description }) {
  const facts = [
    [authors.length > 1 ? 'authors' : 'author', authors.join(', ')],
    ['version', version],
    ['date', date],
    ['tags', tags.join(', ')],
  ];
  const cells = facts.flatMap(([name, value]) => (value ? [`${name}: ${value.replace(/\s+/gu, ' ').trim()}`] : []));
  /** @type {Part[]} */
  const parts = [];
  if (cells.length > 0) parts.push({ kind: 'prose', text: `${cells.join('; ')}.` });
  if (description) parts.push({ kind: 'prose', text: description });
  return parts;
}
