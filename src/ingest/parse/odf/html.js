import { LIMITS, LimitExceeded } from '../limits.js';
import { elementAt, escaped, textIn } from '../xml/tree.js';

/** @typedef {import('../xml/tree.js').XmlElement} XmlElement */
/** @typedef {import('./styles.js').Styles} Styles */

/** Elements that are no text of a document: what was deleted, comments, indexes, forms, what stands for an object. */
const LEFT_OUT = new Set(
  (
    'text:tracked-changes office:annotation office:annotation-end office:forms text:table-of-content text:alphabetical-index ' +
    'text:illustration-index text:table-index text:object-index text:user-index text:sequence-decls text:variable-decls ' +
    'text:user-field-decls text:ruby-text text:note-citation office:binary-data office:event-listeners draw:object ' +
    'draw:object-ole draw:image draw:plugin svg:title svg:desc presentation:notes table:covered-table-cell ' +
    'presentation:footer presentation:date-time presentation:header text:page-number'
  ).split(' '),
);
/** HTML has no deeper headings. */
const DEEPEST = 6;
/** Columns that one element of a table stands for at most: a file may say a billion. */
const MOST_REPEATED = 100;
/** A longer cell stands once. In characters of HTML. */
const LONGEST_REPEATED = 200;

/** Writes text of an OpenDocument file as HTML: paragraphs, headings, lists, tables, notes, links. */
export class OdfHtml {
  /** @type {string[]} */
  written = [];
  size = 0;
  /** Notes, to stand at the end. @type {Array<{ id: number, body: XmlElement | undefined }>} */
  notes = [];
  noted = 0;
  /** The style and the level of the open list. @type {{ style: string | undefined, level: number }} */
  list = { style: undefined, level: 0 };

  /** @param {Styles} styles @param {(paragraph: XmlElement) => number | undefined} [levelOf] The level of the heading that a paragraph is. */
  constructor(styles, levelOf = () => undefined) {
    this.styles = styles;
    this.levelOf = levelOf;
  }

  /** Returns the text of elements as HTML, their notes at the end. @param {XmlElement[]} elements */
  textOf(elements) {
    for (const element of elements) this.element(element);
    // A note may hold notes.
    for (const { id, body } of this.notes) {
      this.write(`<aside role="doc-footnote" id="note-${id}">`);
      this.inside(body);
      this.write('</aside>');
    }
    this.notes = [];
    return this.written.splice(0).join('');
  }

  /** @param {string} html */
  write(html) {
    this.size += html.length;
    if (this.size > LIMITS.characters) {
      const most = LIMITS.characters >> 20;
      throw new LimitExceeded('characters', `holds more than ${most} Mi characters of text; split it`);
    }
    this.written.push(html);
  }

  /** @param {XmlElement | undefined} element */
  inside(element) {
    for (const child of element?.children ?? []) {
      if (typeof child === 'string') this.write(escaped(child));
      else this.element(child);
    }
  }

  /** @param {XmlElement} element */
  element(element) {
    const { name, attributes } = element;
    if (LEFT_OUT.has(name)) return;
    if (name === 'text:h' || name === 'text:p') this.paragraph(element);
    else if (name === 'text:list') this.listOf(element);
    else if (name === 'text:list-item' || name === 'text:list-header') this.around('li', element);
    else if (name === 'text:span') this.span(element);
    else if (name === 'text:a') this.around('a', element, ` href="${escaped(attributes['xlink:href'] ?? '')}"`);
    else if (name === 'text:s' || name === 'text:tab') this.write(' ');
    else if (name === 'text:line-break') this.write('<br>');
    else if (name === 'text:note') this.note(element);
    else if (name === 'table:table') this.around('table', element);
    else if (name === 'table:table-row') this.around('tr', element);
    else if (name === 'table:table-cell') this.cell(element);
    else this.inside(element);
  }

  /** @param {string} tag @param {XmlElement} element @param {string} [attributes] */
  around(tag, element, attributes = '') {
    this.write(`<${tag}${attributes}>`);
    this.inside(element);
    this.write(`</${tag}>`);
  }

  /** @param {XmlElement} paragraph */
  paragraph(paragraph) {
    const level = this.levelOf(paragraph);
    this.around(level === undefined ? 'p' : `h${Math.min(level, DEEPEST)}`, paragraph);
  }

  /** A list within another one has its style where it has none of its own. @param {XmlElement} element */
  listOf(element) {
    const outer = this.list;
    this.list = { style: element.attributes['text:style-name'] ?? outer.style, level: outer.level + 1 };
    this.around(this.styles.isNumbered(this.list.style, this.list.level) ? 'ol' : 'ul', element);
    this.list = outer;
  }

  /** @param {XmlElement} element */
  span(element) {
    const style = element.attributes['text:style-name'];
    if (this.styles.textProperty('text', style, 'text:display') === 'none') return;
    const position = this.styles.textProperty('text', style, 'style:text-position');
    const raised = Number.parseFloat(position ?? '0');
    if (position?.startsWith('super') || raised > 0) this.around('sup', element);
    else if (position?.startsWith('sub') || raised < 0) this.around('sub', element);
    else this.inside(element);
  }

  /** @param {XmlElement} element */
  note(element) {
    const mark = escaped(textIn(elementAt(element, 'text:note-citation')));
    this.noted += 1;
    this.write(`<a role="doc-noteref" href="#note-${this.noted}">${mark}</a>`);
    this.notes.push({ id: this.noted, body: elementAt(element, 'text:note-body') });
  }

  /** A cell stands in each of the columns that it is repeated in. @param {XmlElement} element */
  cell(element) {
    const { attributes } = element;
    const rows = spanOf(attributes['table:number-rows-spanned']);
    const columns = spanOf(attributes['table:number-columns-spanned']);
    const [start, size] = [this.written.length, this.size];
    this.around('td', element, `${rows > 1 ? ` rowspan="${rows}"` : ''}${columns > 1 ? ` colspan="${columns}"` : ''}`);
    if (this.size - size > LONGEST_REPEATED) return;
    const html = this.written.slice(start).join('');
    const times = Math.min(MOST_REPEATED, spanOf(attributes['table:number-columns-repeated']));
    for (let i = 1; i < times; i += 1) this.write(html);
  }
}

/** @param {string | undefined} written */
function spanOf(written) {
  return Math.max(1, Number.parseInt(written ?? '1', 10) || 1);
}
