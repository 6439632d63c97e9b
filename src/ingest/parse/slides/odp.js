import { OdfHtml } from '../odf/html.js';
import { elementAt, elementsOf, escaped, textIn } from '../xml/tree.js';
import { alternativeText } from './alternative.js';
import { deckParts } from './deck.js';

/** @typedef {import('../xml/tree.js').XmlElement} XmlElement */
/** @typedef {import('../odf/styles.js').Styles} Styles */
/** @typedef {import('./deck.js').Slide} Slide */

/** Frames that are no text of the slide. */
const LEFT_OUT = new Set(['footer', 'date-time', 'page-number', 'header', 'page']);

/**
 * Returns the parts of a presentation of LibreOffice or OpenOffice.
 * @param {{ content: XmlElement, styles: Styles, meta: XmlElement }} file
 */
export function odpParts({ content, styles, meta }) {
  const body = elementAt(content, 'office:body', 'office:presentation');
  if (body === undefined) throw new Error('is no presentation');
  return deckParts(slidesOf(body, styles), textIn(elementAt(meta, 'office:meta', 'dc:title')));
}

/** @param {XmlElement} body @param {Styles} styles @returns {Generator<Slide>} */
function* slidesOf(body, styles) {
  for (const page of elementsOf(body, 'draw:page')) yield slideOf(page, styles);
}

/** @param {XmlElement} page @param {Styles} styles @returns {Slide} */
function slideOf(page, styles) {
  const shapes = shapesIn(page);
  const htmlOf = (/** @type {XmlElement[]} */ elements) => new OdfHtml(styles).textOf(elements);
  const title = shapes.find((shape) => classOf(shape) === 'title' && textIn(shape) !== '');
  const notes = shapesIn(elementAt(page, 'presentation:notes')).filter((shape) => classOf(shape) === 'notes');
  const style = page.attributes['draw:style-name'];
  const property = styles.property('drawing-page', style, ['style:drawing-page-properties', 'presentation:visibility']);
  return {
    title: title === undefined ? '' : htmlOf([title]),
    text: shapes
      .filter((shape) => shape !== title && !LEFT_OUT.has(classOf(shape)))
      .map((shape) => htmlOf([shape]) + pictureOf(shape))
      .join(''),
    notes: htmlOf(notes),
    isHidden: property === 'hidden',
    opens: shapes.some((shape) => classOf(shape) === 'subtitle' && textIn(shape) !== ''),
  };
}

/** Returns the shapes of a page, those of its groups too. @param {XmlElement | undefined} page @returns {XmlElement[]} */
function shapesIn(page) {
  return elementsOf(page).flatMap((shape) => {
    if (shape.name === 'draw:g' || shape.name === 'draw:a') return shapesIn(shape);
    return /^(?:draw|dr3d):/u.test(shape.name) ? [shape] : [];
  });
}

/** @param {XmlElement} shape */
function classOf({ attributes }) {
  return attributes['presentation:class'] ?? '';
}

/** Returns what a picture shows. @param {XmlElement} shape */
function pictureOf(shape) {
  const said = textIn(elementAt(shape, 'svg:desc')) || textIn(elementAt(shape, 'svg:title'));
  const text = elementAt(shape, 'draw:image') === undefined ? '' : alternativeText(said);
  return text === '' ? '' : `<p>${escaped(text)}</p>`;
}
