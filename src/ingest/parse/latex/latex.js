import { placeNotes } from '../notes/place.js';
import { bylineParts } from '../titles/byline.js';
import { LatexReader } from './reader.js';

/** @typedef {import('../parts.js').Part} Part */

/**
 * Returns the title and the parts of a LaTeX source: who wrote it and when, the abstract, sections as headings, paragraphs, items, rows of tables, code, formulas as
 * lines of text. What sets the document up, comments, labels and pictures are left out; no other file is read, and commands of the document are replaced within limits. Throws `LimitExceeded`.
 * @param {string} text
 * @returns {{ title?: string, parts: Iterable<Part> }}
 */
export function latexParts(text) {
  const { names, parts, people } = new LatexReader(text).read();
  const { title, subtitle, date, authors } = names;
  const byline = bylineParts({ authors, date, description: subtitle });
  const thanks = people.thanks.map((words) => /** @type {Part} */ ({ kind: 'prose', text: words }));
  return { ...(title === '' ? {} : { title }), parts: [...byline, ...thanks, ...placeNotes(parts)] };
}
