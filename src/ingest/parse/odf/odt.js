import { htmlParts } from '../html.js';
import { withPairs } from '../questions/pairs.js';
import { withBoldHeadings } from '../word/bold-headings.js';
import { elementAt, elementsOf, textIn } from '../xml/tree.js';
import { openDocument, unpackDocument } from './archive.js';
import { OdfHtml } from './html.js';

/** @typedef {import('../xml/tree.js').XmlElement} XmlElement */
/** @typedef {import('./styles.js').Styles} Styles */

/** The style of a heading, as OpenDocument files call it in any language. */
const HEADING = /^Heading_20_(\d)$/u;

/**
 * Returns the parts of a text document of LibreOffice or OpenOffice, by way of HTML: headings by their outline, or in bold where it has none, lists, tables
 * and notes. The title of the document stands above its headings, and a question above its answer.
 * @param {Uint8Array} bytes
 */
export function odtParts(bytes) {
  const { content, styles } = openDocument(unpackDocument(bytes));
  const text = elementAt(content, 'office:body', 'office:text');
  if (text === undefined) throw new Error('is no text document');
  const levels = levelsOf(blocksOf(text), styles);
  const { parts, ...names } = htmlParts(new OdfHtml(styles, (paragraph) => levels.get(paragraph)).textOf([text]));
  return { ...names, parts: withPairs(parts) };
}

/** Returns the blocks of a text, those of its sections too. @param {XmlElement} text @returns {XmlElement[]} */
function blocksOf(text) {
  return elementsOf(text).flatMap((block) => (block.name === 'text:section' ? blocksOf(block) : [block]));
}

/** Returns the levels of the headings among the blocks of a document. @param {XmlElement[]} blocks @param {Styles} styles */
function levelsOf(blocks, styles) {
  const isTitle = (/** @type {XmlElement} */ { name, attributes }) =>
    name === 'text:p' && styles.namesOf(attributes['text:style-name']).includes('Title');
  /** @type {Map<XmlElement, number>} */
  const levels = new Map();
  for (const title of blocks.filter(isTitle)) levels.set(title, 1);
  const below = levels.size > 0 ? 1 : 0;
  const headings = headingsIn(blocks, styles);
  for (const [heading, level] of headings) levels.set(heading, level + below);
  if (headings.length > 0) return levels;
  return boldLevels(blocks, { styles, isTitle }) ?? levels;
}

/** Returns the headings with their levels; they stand in lists where they are numbered. @param {XmlElement[]} blocks @param {Styles} styles @returns {Array<[XmlElement, number]>} */
function headingsIn(blocks, styles) {
  return blocks.flatMap((block) => {
    if (/^text:list(?:-item|-header)?$/u.test(block.name)) return headingsIn(elementsOf(block), styles);
    const level = outlineOf(block, styles);
    return level === undefined || textIn(block) === '' ? [] : [/** @type {[XmlElement, number]} */ ([block, level])];
  });
}

/** Returns the level of a heading, or of a paragraph in a style of headings. @param {XmlElement} block @param {Styles} styles */
function outlineOf({ name, attributes }, styles) {
  if (name === 'text:h') return Math.max(1, Number.parseInt(attributes['text:outline-level'] ?? '1', 10) || 1);
  if (name !== 'text:p') return undefined;
  const style = styles.namesOf(attributes['text:style-name']).find((one) => HEADING.test(one));
  return style === undefined ? undefined : Number(HEADING.exec(style)?.[1]);
}

/**
 * Returns the levels of the short lines in bold that are headings; undefined for none.
 * @param {XmlElement[]} blocks @param {{ styles: Styles, isTitle: (block: XmlElement) => boolean }} known
 * @returns {Map<XmlElement, number> | undefined}
 */
function boldLevels(blocks, { styles, isTitle }) {
  const children = blocks.map((source) => ({
    source,
    type: source.name === 'text:p' ? 'paragraph' : source.name,
    styleName: isTitle(source) ? 'Title' : null,
    children: [runOf(source, isBold(source, styles))],
  }));
  const { children: read = [] } = withBoldHeadings({ type: 'document', children });
  const found = /** @type {typeof children} */ (read).flatMap(({ source, styleName }) => {
    const level = /^Heading (\d)$/u.exec(styleName ?? '')?.[1];
    return level === undefined ? [] : [/** @type {const} */ ([source, Number(level)])];
  });
  return found.length === 0 ? undefined : new Map(found);
}

/** @param {XmlElement} source @param {boolean} bold */
function runOf(source, bold) {
  return { type: 'run', isBold: bold, children: [{ type: 'text', value: lineOf(source) }] };
}

/** Returns the text of a paragraph, with its line breaks. @param {XmlElement} element @returns {string} */
function lineOf({ children }) {
  return children
    .map((child) => (typeof child === 'string' ? child : child.name === 'text:line-break' ? '\n' : lineOf(child)))
    .join('');
}

/** Returns whether all words of a paragraph are in bold. @param {XmlElement} paragraph @param {Styles} styles */
function isBold(paragraph, styles) {
  const family = { 'text:p': 'paragraph', 'text:span': 'text' };
  const look = (/** @type {XmlElement} */ element, /** @type {boolean} */ outer) => {
    const kind = family[/** @type {keyof typeof family} */ (element.name)];
    const name = element.attributes['text:style-name'];
    const weight = kind === undefined ? undefined : styles.textProperty(kind, name, 'fo:font-weight');
    const bold = weight === undefined ? outer : weight === 'bold' || Number(weight) >= 600;
    return element.children.every((child) =>
      typeof child === 'string' ? bold || child.trim() === '' : look(child, bold),
    );
  };
  return look(paragraph, false);
}
