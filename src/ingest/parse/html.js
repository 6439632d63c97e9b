import { Parser } from 'htmlparser2';
import { descriptionOf, withDescription } from './html/description.js';
import { BLOCKS, isLeftOut, VOID } from './html/elements.js';
import { inMain } from './html/main.js';
import { Tables } from './html/spans.js';
import { wordItem, wordParagraph } from './html/word.js';
import { LIMITS, LimitExceeded } from './limits.js';
import { LONGEST_LINE, pieces, tidy } from './lines.js';
import { NoteReader } from './notes/html-notes.js';
import { isNoteMark, readMarks, refsOf, SCRIPT_CLOSE, scriptOpen, withoutSigns } from './notes/marks.js';
import { placeNotes } from './notes/place.js';
import { Details, withSummaries } from './questions/summaries.js';

/** @typedef {import('./parts.js').Part} Part */
/** @typedef {import('./notes/place.js').ReadPart} ReadPart */

/**
 * Returns the title and the parts of an HTML page: headings, paragraphs, list items, table rows, preformatted text. Navigation, scripts,
 * styles, footers and hidden elements are left out; where the page has a <main>, only that counts. What the page says of itself in its head
 * stands below its first heading. A note stands with the text that refers to it. Throws `LimitExceeded` where elements are nested too deep.
 * @param {string} html @param {{ isBook?: boolean }} [options]
 * @returns {{ title?: string, parts: Part[] }}
 */
export function htmlParts(html, options = {}) {
  const { parts, description = '', ...titled } = readHtml(html, options);
  const kept = withDescription(description, inMain(parts));
  return { ...titled, parts: [...placeNotes([...withSummaries(kept)], parts)] };
}

/**
 * Returns the title and the parts of an HTML text before its notes are placed. A page of a book is written as XML, where any element may be empty (`<title/>`). Of
 * a book, and of the HTML in a text of Markdown, what stands aside belongs to the text.
 * @param {string} html @param {{ isBook?: boolean, keepsAsides?: boolean }} [options]
 * @returns {{ title?: string, description?: string, parts: ReadPart[] }}
 */
export function readHtml(html, { isBook = false, keepsAsides = isBook } = {}) {
  const reader = Object.assign(new Reader(), { origin: { isBook, keepsAsides } });
  const parser = new Parser(
    {
      onopentag: (name, attributes) => reader.open(name, attributes),
      ontext: (text) => reader.text(text),
      onclosetag: (name) => reader.close(name),
    },
    { decodeEntities: true, lowerCaseTags: true, recognizeSelfClosing: isBook },
  );
  parser.end(html);
  return reader.result();
}

/** Characters of the open part up to which a term is joined to what is said of it: a cell or an item of thousands of them stays linear. */
const LONGEST_TERM = 10_000;

class Reader {
  /** @type {ReadPart[]} */
  parts = [];
  title = '';
  /** What the page says of itself. */
  description = '';
  inTitle = false;
  /** Number of open elements, and of those that are skipped. */
  depth = 0;
  skipped = 0;
  main = 0;
  pre = 0;
  buffer = '';
  /** True when the buffer holds more than white space. */
  filled = false;
  /** `isWord`: a paragraph of Word that its class makes a heading or an item. @type {{ kind: 'heading' | 'prose' | 'list' | 'table' | 'code', level: number, isWord?: boolean }} */
  current = { kind: 'prose', level: 0 };
  /** The words of the open link so far; undefined outside of links. @type {string | undefined} */
  link;
  /** The words of the links in the buffer. @type {string[]} */
  links = [];
  /** @type {Array<{ ordered: boolean, next: number }>} */
  lists = [];
  rows = 0;
  tables = new Tables();
  /** True behind a <dt>: its <dd> goes on with it. */
  term = false;
  /** True in a <dd> that goes on with its term, and where it said something. */
  defined = false;
  said = false;
  /** The term of the open <dd>. */
  named = '';
  /** The part that a term became by itself, with a colon, before its <dd> said anything. @type {Part | undefined} */
  alone;
  notes = new NoteReader();
  origin = { isBook: false, keepsAsides: false };
  details = new Details();

  open(name, attributes) {
    this.depth += 1;
    if (this.depth > LIMITS.depth) {
      throw new LimitExceeded('depth', `nests elements deeper than ${LIMITS.depth}; simplify it or convert it to text`);
    }
    if (name === 'title' && !this.title) this.inTitle = true;
    this.description ||= descriptionOf(name, attributes);
    const isNote = this.notes.isContainer(name, attributes);
    if (this.skipped > 0 || isLeftOut(name, attributes, { ...this.origin, isNote, inMain: this.main > 0 })) {
      if (!VOID.has(name)) this.skipped += 1;
      return;
    }
    if (name === 'main') this.main += 1;
    if (name === 'a' && 'href' in attributes) this.link = '';
    if (name === 'sup' || name === 'sub') this.buffer += scriptOpen(name);
    if (/^h[1-6]$/u.test(name)) this.begin('heading', Number(name[1]));
    else if (name === 'pre') {
      this.begin('code');
      this.pre += 1;
    } else if (name === 'li') this.beginItem();
    else if (name === 'ul' || name === 'ol') {
      this.flush();
      this.lists.push({ ordered: name === 'ol', next: 1 });
    } else if (name === 'tr') {
      this.begin('table');
      this.rows += 1;
      this.tables.beginRow();
    } else if (name === 'summary' && this.rows === 0) this.begin('prose');
    else if (name === 'td' || name === 'th') this.tables.beginCell(this, attributes);
    else if (name === 'br') this.buffer += this.pre > 0 || this.current.kind === 'prose' ? '\n' : ' ';
    else if (name === 'dd' && this.term && this.buffer.length < LONGEST_TERM) this.beginDefinition();
    else if (BLOCKS.has(name) && !this.opensDefinition(name)) this.boundary();
    if (name === 'table') this.tables.begin();
    if (this.rows === 0) this.details.enter(name);
    const word = this.rows === 0 && this.lists.length === 0 ? wordParagraph(name, attributes) : undefined;
    if (word !== undefined) this.current = { ...word, isWord: true };
    if (isNote) this.boundary();
    this.notes.enter(name, attributes, { isNote, isFilled: this.filled, depth: this.depth });
    // A mark is no link that names what another place says.
    if (this.notes.open !== undefined) this.link = undefined;
  }

  text(text) {
    if (this.inTitle) this.title += text;
    if (this.skipped > 0) return;
    if (this.notes.isTooLong(text)) {
      this.addMark(this.notes.endMark());
      this.link = '';
    }
    if (this.notes.takes(text)) return;
    this.add(text);
  }

  add(written) {
    const text = withoutSigns(written);
    this.buffer += this.pre > 0 ? text : text.replace(/\s+/gu, ' ');
    const isFilled = /\S/u.test(text);
    this.filled ||= isFilled;
    this.said ||= isFilled;
    if (this.link !== undefined) this.link += text;
  }

  close(name) {
    if (name === 'title') this.inTitle = false;
    if (this.skipped > 0) {
      if (!VOID.has(name)) this.skipped -= 1;
    } else {
      this.leave(name);
      this.addMark(this.notes.leave(name, this.depth));
    }
    this.depth -= 1;
  }

  addMark(mark) {
    this.buffer += mark;
    this.filled ||= mark !== '';
    this.said ||= mark !== '';
    // A link that is no mark after all.
    if (mark.trim() !== '' && !isNoteMark(mark)) this.links.push(mark.replace(/\s+/gu, ' ').trim());
  }

  leave(name) {
    if (name === 'a') {
      this.endLink();
      this.link = undefined;
    }
    if (name === 'sup' || name === 'sub') this.buffer += SCRIPT_CLOSE;
    if (/^h[1-6]$/u.test(name) || name === 'li' || (name === 'summary' && this.rows === 0)) this.end();
    else if (name === 'pre') {
      this.end();
      this.pre = Math.max(0, this.pre - 1);
    } else if (name === 'ul' || name === 'ol') {
      this.end();
      this.lists.pop();
    } else if (name === 'td' || name === 'th') this.tables.endCell(this);
    else if (name === 'tr') {
      this.tables.endRow(this);
      this.end();
      this.rows = Math.max(0, this.rows - 1);
    } else if (name === 'dt' && this.filled) this.term = true;
    else if (name === 'dd') {
      this.endDefinition();
      this.boundary();
    } else if (name === 'p' && this.current.isWord) this.end();
    else if (BLOCKS.has(name) || name === 'aside' || name === 'footer') {
      // Those are left out, but for notes.
      if (!this.opensDefinition(name)) this.boundary();
      if (name === 'main') this.main -= 1;
    }
    if (this.rows === 0) this.details.leave(name);
    if (name === 'table') this.tables.end();
    else if (/^t(?:head|body|foot)$/u.test(name)) this.tables.endGroup();
  }

  /** Ends the open part; paragraphs inside a cell or an item belong to it. */
  boundary() {
    this.term = false;
    this.defined = false;
    if (this.current.kind === 'table' && this.rows > 0) this.buffer += ' ';
    else if (this.current.kind === 'list' || this.current.kind === 'heading') this.buffer += ' ';
    else this.flush();
  }

  /** Joins a definition, or a value, to its term: "Balance: 905". */
  beginDefinition() {
    const term = this.buffer.trimEnd();
    this.buffer = /[:?!.…]$/u.test(term) ? `${term} ` : `${term}: `;
    this.term = false;
    this.defined = true;
    this.said = false;
    this.named = term;
    this.alone = undefined;
  }

  /** A definition without words, also in lists and tables, leaves its term alone. */
  endDefinition() {
    if (this.opensDefinition('')) this.buffer = this.named;
    else if (this.alone !== undefined && this.alone === this.parts.at(-1)?.part && !this.filled)
      this.alone.text = this.alone.text.replace(/:$/u, '');
    this.alone = undefined;
  }

  /** Returns true where a block inside of a <dd> begins or ends before anything in it. */
  opensDefinition(name) {
    return this.defined && !this.said && name !== 'dt' && name !== 'dd';
  }

  beginItem() {
    this.flush();
    const list = this.lists.at(-1);
    this.current = { kind: 'list', level: 0 };
    const depth = Math.max(0, this.lists.length - 1);
    this.mark = `${'  '.repeat(Math.min(depth, 4))}${list?.ordered ? `${list.next++}.` : '-'} `;
  }

  begin(kind, level = 0) {
    this.flush();
    this.current = { kind, level };
  }

  end() {
    this.flush();
    this.current = { kind: 'prose', level: 0 };
  }

  /** Keeps the words of the open link; a block inside of it ends it too. */
  endLink() {
    const words = (this.link ?? '').replace(/\s+/gu, ' ').trim();
    if (words !== '') this.links.push(words);
    if (this.link !== undefined) this.link = '';
  }

  flush() {
    this.endLink();
    this.addMark(this.notes.endMark());
    const { kind, level, isWord } = this.current;
    const { buffer, filled } = this;
    const isTermAlone = this.opensDefinition('') && !/:$/u.test(this.named);
    // A long paragraph comes in several parts: it is no list of links.
    const isShort = buffer.length <= LONGEST_LINE;
    const links = this.links.length > 0 && isShort ? { links: this.links } : {};
    this.buffer = '';
    this.filled = false;
    this.links = [];
    this.term = false;
    this.defined = false;
    if (!filled) return;
    const { text: read, refs } = readMarks(buffer, { isHeading: kind === 'heading' });
    const text = kind === 'code' ? read.replace(/^\n+/u, '').trimEnd() : tidy(read);
    const note = this.notes.endPart();
    const main = this.main > 0;
    const push = (part, found = refs) => this.parts.push({ part, main, refs: found, note, ...this.details.place() });
    if (kind === 'heading') push({ kind, level, text: text.replace(/\s+/gu, ' ') });
    else if (kind === 'list' && isWord) push({ kind, text: wordItem(text.replace(/\n/gu, ' '), level), ...links });
    else if (kind === 'list') push({ kind, text: `${this.mark ?? '- '}${text.replace(/\n/gu, ' ')}`, ...links });
    else if (kind === 'table') push({ kind, text: `| ${text} |` });
    else
      for (const [piece, found] of refsOf(pieces(text), refs))
        push({ kind, text: piece, ...(kind === 'prose' ? links : {}) }, found);
    if (isTermAlone) this.alone = this.parts.at(-1)?.part;
  }

  result() {
    this.flush();
    const { parts, description } = this;
    const title = this.title.replace(/\s+/gu, ' ').trim();
    return { ...(title === '' ? {} : { title }), ...(description === '' ? {} : { description }), parts };
  }
}
