import { descendants, elementAt, elementsOf, escaped, readXml, textIn } from '../xml/tree.js';
import { alternativeText } from './alternative.js';
import { diagramHtml } from './diagram.js';
import { largestShape } from './largest.js';
import { isTrue, paragraphsHtml, tableHtml } from './pptx-text.js';

/** @typedef {import('../xml/tree.js').XmlElement} XmlElement */
/** @typedef {import('./largest.js').Shape} Shape */

/** Placeholders that are no text of the slide. */
const LEFT_OUT = new Set(['dt', 'ftr', 'sldNum', 'hdr']);
const TITLES = new Set(['title', 'ctrTitle']);
/** Placeholders whose paragraphs are items of a list. */
const ITEMS = new Set(['body', 'obj']);
/**
 * Reads the shapes of a slide in the order of the file: their text, the words of tables and diagrams, what pictures show. `kinds` are the placeholders.
 * @param {XmlElement | undefined} tree @param {(id: string) => Uint8Array | undefined} fileOf Finds what the slide refers to.
 * @returns {{ title: string, text: string, kinds: Set<string> }}
 */
export function readShapes(tree, fileOf) {
  const reader = new ShapeReader(fileOf);
  reader.group(tree);
  return reader.result();
}

class ShapeReader {
  title = '';
  /** @type {Shape[]} */
  shapes = [];
  /** @type {Set<string>} */
  kinds = new Set();

  /** @param {(id: string) => Uint8Array | undefined} fileOf */
  constructor(fileOf) {
    this.fileOf = fileOf;
  }

  /** @param {XmlElement | undefined} group */
  group(group) {
    for (const element of elementsOf(group)) {
      const { name } = element;
      const own = elementsOf(elementsOf(element)[0], 'p:cNvPr')[0]?.attributes ?? {};
      if (isTrue(own.hidden)) continue;
      if (name === 'p:grpSp') this.group(element);
      // What a program shows that knows newer features; others show a picture of it.
      else if (name === 'mc:AlternateContent') this.group(elementAt(element, 'mc:Choice'));
      else if (name === 'p:sp') this.shape(element);
      else if (name === 'p:graphicFrame') this.add(this.graphic(element) || described(own.descr));
      else if (name === 'p:pic') this.add(described(own.descr));
    }
  }

  /** @param {XmlElement} shape */
  shape(shape) {
    const placeholder = elementAt(shape, 'p:nvSpPr', 'p:nvPr', 'p:ph');
    const kind = placeholder === undefined ? '' : (placeholder.attributes.type ?? 'obj');
    if (LEFT_OUT.has(kind)) return;
    const body = elementAt(shape, 'p:txBody');
    const text = textIn(body);
    if (text !== '') this.kinds.add(kind);
    if (TITLES.has(kind) && this.title === '') this.title = paragraphsHtml(body);
    else this.add(paragraphsHtml(body, { areItems: ITEMS.has(kind) }), { text, size: sizeOf(body) });
  }

  /** @param {XmlElement} frame */
  graphic(frame) {
    const data = elementAt(frame, 'a:graphic', 'a:graphicData');
    const table = elementAt(data, 'a:tbl');
    if (table !== undefined) return tableHtml(table);
    const diagram = elementAt(data, 'dgm:relIds')?.attributes['r:dm'];
    return diagram === undefined ? '' : diagramHtml(readXml(this.fileOf(diagram)));
  }

  /** @param {string} html @param {{ text: string, size: number }} [type] */
  add(html, { text, size } = { text: '', size: 0 }) {
    if (html !== '') this.shapes.push({ html, text, size });
  }

  result() {
    const title = this.title === '' ? largestShape(this.shapes) : undefined;
    const rest = this.shapes.filter((shape) => shape !== title);
    return { title: title?.html ?? this.title, text: rest.map(({ html }) => html).join(''), kinds: this.kinds };
  }
}

/** @param {string | undefined} written */
function described(written) {
  const text = alternativeText(written);
  return text === '' ? '' : `<p>${escaped(text)}</p>`;
}

/** Returns the largest size of type in a shape, in points, as far as the shape says it. @param {XmlElement | undefined} body */
function sizeOf(body) {
  const sizes = descendants(body, 'a:r').map((run) => Number(elementAt(run, 'a:rPr')?.attributes.sz ?? 0) || 0);
  return sizes.reduce((most, size) => Math.max(most, size / 100), 0);
}
