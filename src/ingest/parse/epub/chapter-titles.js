import { Parser } from 'htmlparser2';
import { escaped } from '../xml/tree.js';

/** @typedef {import('./contents.js').Entry} Entry */

/**
 * Returns a page with the titles that the table of contents gives its places as headings before them; a title whose place is not found stands at the
 * beginning of the page.
 * @param {string} page @param {Entry[]} entries
 */
export function withTitles(page, entries) {
  const wanted = new Set(entries.map(({ id }) => id));
  /** @type {Map<string, number>} */
  const places = new Map();
  let body = 0;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (name === 'body') body = parser.endIndex + 1;
        const { id = '' } = attributes;
        if (id !== '' && wanted.has(id) && !places.has(id)) places.set(id, parser.startIndex);
      },
    },
    { lowerCaseTags: true, recognizeSelfClosing: true },
  );
  parser.write(page);
  parser.end();
  const placed = entries
    .map(({ id, ...entry }) => ({ ...entry, at: Math.max(body, places.get(id) ?? body) }))
    .sort((a, b) => a.at - b.at);
  let from = 0;
  /** @type {string[]} */
  const pieces = [];
  for (const { level, title, at } of placed) {
    pieces.push(page.slice(from, at), `<h${level}>${escaped(title)}</h${level}>`);
    from = at;
  }
  return [...pieces, page.slice(from)].join('');
}
