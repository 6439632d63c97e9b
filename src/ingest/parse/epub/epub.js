import { unpack } from '../archive.js';
import { htmlParts } from '../html.js';
import { decodeXml } from '../xml/decode.js';
import { withTitles } from './chapter-titles.js';
import { readContents } from './contents.js';
import { isOfPackage, isProtected, readPackage } from './package.js';

/** @typedef {import('../parts.js').Part} Part */
/** @typedef {import('./package.js').Book} Book */
/** @typedef {import('./contents.js').Entry} Entry */

/** A book that only those read who have a key of its shop. */
class DigitalRights extends Error {
  name = 'DigitalRights';
}

/**
 * Returns the title and the parts of a book: its title above all headings, who wrote it, and its chapters in their order. A chapter without a heading
 * has its title in the table of contents as one. Throws where the chapters are encrypted, and `LimitExceeded`.
 * @param {Uint8Array} bytes
 * @returns {{ title?: string, parts: Iterable<Part> }}
 */
export function epubParts(bytes) {
  const files = new Map(Object.entries(unpack(bytes, isOfPackage)));
  const book = readPackage(files);
  if (isProtected(files, book)) throw new DigitalRights('is encrypted');
  const wanted = new Set([...book.chapters, book.contents]);
  const pages = new Map(Object.entries(unpack(bytes, (name) => wanted.has(name))));
  const parts = bookParts(book, pages);
  return book.title === '' ? { parts } : { title: book.title, parts };
}

/** @param {Book} book @param {Map<string, Uint8Array>} pages @returns {Generator<Part>} */
function* bookParts({ title, authors, chapters, contents }, pages) {
  if (title !== '') yield { kind: 'heading', level: 0, text: title };
  if (authors.length > 0)
    yield { kind: 'prose', text: `${authors.length > 1 ? 'authors' : 'author'}: ${authors.join(', ')}` };
  const entries = readContents(pages, contents);
  let isBefore = true;
  for (const path of chapters) {
    const page = pages.get(path);
    if (page === undefined) continue;
    for (const part of chapterParts(decodeXml(page), entries.get(path) ?? [])) {
      // The page that shows the title of the book; a chapter further on may have the same.
      if (isBefore && part.kind === 'heading' && isSame(part.text, title)) continue;
      isBefore &&= part.kind !== 'heading';
      yield part;
    }
  }
}

/** @param {string} page @param {Entry[]} entries @returns {Part[]} */
function chapterParts(page, entries) {
  const { parts } = htmlParts(page, { isBook: true });
  if (entries.length === 0 || parts.some(({ kind }) => kind === 'heading')) return parts;
  const titled = htmlParts(withTitles(page, entries), { isBook: true }).parts;
  // The title stands in the text, too, as a paragraph.
  return titled.filter(({ kind, text }, i) => kind === 'heading' || i === 0 || !isSame(text, headingAt(titled[i - 1])));
}

/** @param {Part | undefined} part */
function headingAt(part) {
  return part?.kind === 'heading' ? part.text : '';
}

/** @param {string} one @param {string} other */
function isSame(one, other) {
  return bare(one) === bare(other) && bare(one) !== '';
}

/** @param {string} text */
function bare(text) {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
