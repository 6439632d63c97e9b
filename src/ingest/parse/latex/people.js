/** @typedef {import('./reader.js').LatexReader} Reader */

/** What a source has of its author besides the name. */
export class People {
  /** The sender of a letter, whom the document sets before it. */
  address = '';
  signature = '';
  /** Arguments of `\author` that are open. */
  openAuthors = 0;
  /** What the title and its authors have in `\thanks`. */
  thanks = /** @type {string[]} */ ([]);

  /** @param {string} source */
  constructor(source) {
    this.isLetter = source.includes('\\begin{letter}');
  }
}

/** Commands of letters, and of where people are reached. @type {Array<[string, (reader: Reader) => void]>} */
export const PEOPLE = [
  ['address', (reader) => (reader.people.isLetter ? ofSender(reader, 'address') : contact(reader))],
  ['signature', (reader) => (reader.people.isLetter ? ofSender(reader, 'signature') : contact(reader))],
  ...['email', 'affil', 'affiliation', 'institute', 'orcid'].map(
    (name) => /** @type {[string, (reader: Reader) => void]} */ ([name, contact]),
  ),
  ['opening', (reader) => reader.paragraph()],
  ['closing', closing],
  ['todo', todo],
];

/** @param {Reader} reader @param {'address' | 'signature'} name */
function ofSender(reader, name) {
  reader.capture((text) => {
    reader.people[name] = linesOf(text);
  });
}

/** Reads how somebody is reached as text; beside a name in the list of authors it is left out, as their addresses are. @param {Reader} reader */
function contact(reader) {
  if (reader.people.openAuthors > 0) reader.drop(1);
  else {
    reader.option();
    if (/[\p{L}\p{N}]/u.test(reader.last)) reader.add(' ');
  }
}

/** A letter is signed behind its closing words. @param {Reader} reader */
function closing(reader) {
  reader.paragraph();
  reader.capture((text) => {
    const { signature } = reader.people;
    reader.add(signature === '' ? text : `${linesOf(text)}\n${signature}`);
    reader.flush();
  });
}

/** @param {Reader} reader */
function todo(reader) {
  reader.option();
  reader.capture((text) => reader.add(`(TODO: ${text.replace(/\s+/gu, ' ').trim()})`));
}

/** @param {string} text */
function linesOf(text) {
  return text.replace(/\s*\n\s*/gu, '\n').trim();
}
