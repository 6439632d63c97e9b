import { Parser } from 'htmlparser2';
import { LIMITS, LimitExceeded } from '../limits.js';
import { escaped } from './tree.js';

/** @typedef {import('./tree.js').XmlElement} XmlElement */

/** Characters that are read at a time: the records of a piece lie in memory, and no more. */
const PIECE = 1 << 16;

/**
 * Reads the records of a file of XML one by one, such as its notes or entries. Entities that the file declares itself stay as they are written. Throws `LimitExceeded` where elements are too
 * many, or nested too deep.
 */
export class XmlRecords {
  /** What stands before and between the records, without them. @type {XmlElement} */
  top = { name: '', attributes: {}, children: [] };
  /** @type {XmlElement[]} */
  open = [this.top];
  /** The element in `open` that is a record; 0 for none. */
  record = 0;
  /** @type {XmlElement[]} */
  done = [];
  count = 0;

  /** @param {{ records: ReadonlySet<string>, leftOut?: ReadonlySet<string> }} names Of the records, and of elements whose text is not kept. */
  constructor({ records, leftOut = new Set() }) {
    this.records = records;
    this.leftOut = leftOut;
  }

  /** Yields the records of a text in order. @param {string} text @returns {Generator<XmlElement>} */
  *read(text) {
    const parser = new Parser(
      {
        onopentag: (name, attributes) => this.begin({ name, attributes, children: [] }),
        ontext: (value) => this.text(value),
        onclosetag: () => this.end(),
      },
      { xmlMode: true },
    );
    for (let at = 0; at < text.length; at += PIECE) {
      parser.write(text.slice(at, at + PIECE));
      yield* this.done.splice(0);
    }
    parser.end();
    yield* this.done.splice(0);
  }

  /** @param {XmlElement} element */
  begin(element) {
    this.count += 1;
    if (this.count > LIMITS.elements)
      throw new LimitExceeded('elements', `holds more than ${LIMITS.elements} elements; split it`);
    if (this.open.length > LIMITS.depth)
      throw new LimitExceeded('depth', `nests elements deeper than ${LIMITS.depth}; simplify it`);
    const isRecord = this.record === 0 && this.records.has(element.name);
    if (isRecord) this.record = this.open.length;
    else this.open.at(-1)?.children.push(element);
    this.open.push(element);
  }

  /** @param {string} value */
  text(value) {
    const element = /** @type {XmlElement} */ (this.open.at(-1));
    if (!this.leftOut.has(element.name)) element.children.push(value);
  }

  end() {
    const element = /** @type {XmlElement} */ (this.open.pop());
    if (this.open.length !== this.record || this.record === 0) return;
    this.record = 0;
    this.done.push(element);
  }
}

/** Returns what an element holds as it stands: its text, and elements in it as HTML. @param {XmlElement | undefined} element @returns {string} */
export function contentOf(element) {
  const children = element?.children ?? [];
  if (children.every((child) => typeof child === 'string')) return children.join('');
  return children.map((child) => (typeof child === 'string' ? escaped(child) : asHtml(child))).join('');
}

/** @param {XmlElement} element @returns {string} */
function asHtml(element) {
  const name = element.name.replace(/^.*:/u, '');
  const inner = element.children.map((child) => (typeof child === 'string' ? escaped(child) : asHtml(child))).join('');
  return `<${name}>${inner}</${name}>`;
}
