import { lines } from '../lines.js';

/** @typedef {import('../parts.js').Part} Part */

/** The line below each clipping of a Kindle. */
const END = /^={10}$/u;
/** How the second line of a clipping begins, in any language: "- Your Highlight on page 71 | Location 1083 | Added on …". */
const ABOUT = /^- \p{L}[^|\n]{2,120}(?:\|[^|\n]{2,120}){1,2}$/u;
/** Characters of a file that are looked at, which end behind its first clipping. */
const BEGINNING = 20_000;

/** Returns whether a text is the file of clippings that a Kindle keeps: a title, a line about the place and the day, an empty line, the words. @param {string} text */
export function areClippings(text) {
  const [title = '', about = '', blank, ...others] = text
    .slice(0, BEGINNING)
    .replace(/^\ufeff/u, '')
    .split('\n');
  if (title.trim() === '' || !ABOUT.test(about.trim()) || blank?.trim() !== '') return false;
  return others.some((line) => END.test(line.trim()));
}

/**
 * Yields the clippings of a Kindle below the book that each is of, what was marked before where and when. Bookmarks, which have no words, are left out.
 * @param {string} text
 * @returns {Generator<Part>}
 */
export function* clippingParts(text) {
  let book = '';
  for (const [title, about, words] of clippings(text)) {
    if (words === '') continue;
    if (title !== book) yield { kind: 'heading', level: 1, text: title };
    book = title;
    yield { kind: 'prose', text: `${words}\n(${about})`, opens: true };
  }
}

/** Yields the title, the line below it and the words of each clipping. @param {string} text @returns {Generator<[string, string, string]>} */
function* clippings(text) {
  let open = [];
  for (const written of lines(text.replace(/^\ufeff/u, ''))) {
    const line = written.trim();
    if (!END.test(line)) open.push(line);
    else {
      yield clipping(open);
      open = [];
    }
  }
  if (open.length > 2) yield clipping(open);
}

/** @param {string[]} read @returns {[string, string, string]} */
function clipping([title = '', about = '', ...words]) {
  return [title.replace(/^\ufeff/u, '').trim(), about.replace(/^-\s*/u, ''), words.join('\n').trim()];
}
