import { Parser } from 'htmlparser2';
import { LIMITS, LimitExceeded } from './limits.js';
import { LONGEST_LINE, pieces } from './lines.js';

/** @typedef {import('./parts.js').Part} Part */

const SKIPPED = new Set(
  (
    'script style noscript template nav svg math canvas iframe object embed video audio select button form dialog ' +
    'footer head title aside menu'
  ).split(' '),
);
const BLOCKS = new Set(
  (
    'p div section article main header blockquote figure figcaption address ul ol dl dt dd table thead tbody tfoot ' +
    'caption hr details summary fieldset legend body html'
  ).split(' '),
);
const VOID = new Set('area base br col embed hr img input link meta source track wbr'.split(' '));

/**
 * Returns the title and the parts of an HTML page: headings, paragraphs, list items, table rows, preformatted text. Navigation, scripts,
 * styles, footers and hidden elements are left out; where the page has a <main>, only that counts. Throws `LimitExceeded`
 * where elements are nested too deep.
 * @param {string} html
 * @returns {{ title?: string, parts: Part[] }}
 */
export function htmlParts(html) {
  const reader = new Reader();
  const parser = new Parser(
    {
      onopentag: (name, attributes) => reader.open(name, attributes),
      ontext: (text) => reader.text(text),
      onclosetag: (name) => reader.close(name),
    },
    { decodeEntities: true, lowerCaseTags: true },
  );
  parser.write(html);
  parser.end();
  return reader.result();
}

class Reader {
  /** @type {Array<{ part: Part, main: boolean }>} */
  parts = [];
  title = '';
  inTitle = false;
  /** Number of open elements. */
  depth = 0;
  /** Depth of skipped elements; 0 outside. */
  skipped = 0;
  main = 0;
  pre = 0;
  buffer = '';
  /** True when the buffer holds more than white space. */
  filled = false;
  /** @type {{ kind: 'heading' | 'prose' | 'list' | 'table' | 'code', level: number }} */
  current = { kind: 'prose', level: 0 };
  /** The words of the open link so far; undefined outside of links. @type {string | undefined} */
  link;
  /** The words of the links in the buffer. @type {string[]} */
  links = [];
  /** @type {Array<{ ordered: boolean, next: number }>} */
  lists = [];
  rows = 0;

  open(name, attributes) {
    this.depth += 1;
    if (this.depth > LIMITS.depth) {
      throw new LimitExceeded('depth', `nests elements deeper than ${LIMITS.depth}; simplify it or convert it to text`);
    }
    if (name === 'title' && !this.title) this.inTitle = true;
    if (this.skipped > 0 || SKIPPED.has(name) || isHidden(attributes)) {
      if (!VOID.has(name)) this.skipped += 1;
      return;
    }
    if (name === 'main') this.main += 1;
    if (name === 'a' && 'href' in attributes) this.link = '';
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
    } else if (name === 'td' || name === 'th') this.buffer += this.filled ? ' | ' : '';
    else if (name === 'br') this.buffer += this.pre > 0 || this.current.kind === 'prose' ? '\n' : ' ';
    else if (BLOCKS.has(name)) this.boundary();
  }

  text(text) {
    if (this.inTitle) this.title += text;
    if (this.skipped > 0) return;
    this.buffer += this.pre > 0 ? text : text.replace(/\s+/gu, ' ');
    this.filled ||= /\S/u.test(text);
    if (this.link !== undefined) this.link += text;
  }

  close(name) {
    this.depth -= 1;
    if (name === 'title') this.inTitle = false;
    if (this.skipped > 0) {
      if (!VOID.has(name)) this.skipped -= 1;
      return;
    }
    if (name === 'a') {
      this.endLink();
      this.link = undefined;
    }
    if (/^h[1-6]$/u.test(name) || name === 'li') this.end();
    else if (name === 'pre') {
      this.end();
      this.pre = Math.max(0, this.pre - 1);
    } else if (name === 'ul' || name === 'ol') {
      this.end();
      this.lists.pop();
    } else if (name === 'tr') {
      this.end();
      this.rows = Math.max(0, this.rows - 1);
    } else if (BLOCKS.has(name)) {
      this.boundary();
      if (name === 'main') this.main -= 1;
    }
  }

  /** Ends the open part; paragraphs inside a cell or an item belong to it. */
  boundary() {
    if (this.current.kind === 'table' && this.rows > 0) this.buffer += ' ';
    else if (this.current.kind === 'list' || this.current.kind === 'heading') this.buffer += ' ';
    else this.flush();
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
    const { kind, level } = this.current;
    const { buffer, filled } = this;
    // A long paragraph comes in several parts: it is no list of links.
    const isShort = buffer.length <= LONGEST_LINE;
    const links = this.links.length > 0 && isShort ? { links: this.links } : {};
    this.buffer = '';
    this.filled = false;
    this.links = [];
    if (!filled) return;
    const text = kind === 'code' ? buffer.replace(/^\n+/u, '').trimEnd() : tidy(buffer);
    const main = this.main > 0;
    if (kind === 'heading') this.parts.push({ part: { kind, level, text: text.replace(/\s+/gu, ' ') }, main });
    else if (kind === 'list')
      this.parts.push({ part: { kind, text: `${this.mark ?? '- '}${text.replace(/\n/gu, ' ')}`, ...links }, main });
    else if (kind === 'table') this.parts.push({ part: { kind, text: `| ${text} |` }, main });
    else
      for (const piece of pieces(text))
        this.parts.push({ part: { kind, text: piece, ...(kind === 'prose' ? links : {}) }, main });
  }

  result() {
    this.flush();
    const inMain = this.parts.filter(({ main }) => main);
    const parts = (inMain.some(({ part }) => part.kind !== 'heading') ? inMain : this.parts).map(({ part }) => part);
    const title = this.title.replace(/\s+/gu, ' ').trim();
    return title === '' ? { parts } : { title, parts };
  }
}

function tidy(text) {
  return text
    .replace(/[^\S\n]+/gu, ' ')
    .replace(/ ?\n ?/gu, '\n')
    .replace(/\n{2,}/gu, '\n')
    .trim();
}

function isHidden(attributes) {
  return (
    'hidden' in attributes ||
    attributes['aria-hidden'] === 'true' ||
    attributes.role === 'navigation' ||
    /display\s*:\s*none/iu.test(attributes.style ?? '')
  );
}
