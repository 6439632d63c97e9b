import { OdfHtml } from '../odf/html.js';
import { descendants, elementAt, elementsOf, escaped, textIn } from '../xml/tree.js';
import { alternativeText } from './alternative.js';
import { deckParts } from './deck.js';
import { largestShape } from './largest.js';

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
  const frames = shapesIn(page).filter((frame) => !LEFT_OUT.has(classOf(frame)));
  const htmlOf = (/** @type {XmlElement[]} */ elements) => new OdfHtml(styles).textOf(elements);
  const shapes = frames.map((frame) => ({
    kind: classOf(frame),
    html: htmlOf([frame]) + pictureOf(frame),
    text: textIn(frame),
    size: sizeOf(frame, styles),
  }));
  const title = shapes.find(({ kind, text }) => kind === 'title' && text !== '') ?? largestShape(shapes);
  const rest = shapes.filter((shape) => shape !== title);
  const notes = shapesIn(elementAt(page, 'presentation:notes')).filter((shape) => classOf(shape) === 'notes');
  const visibility = styles.property('drawing-page', page.attributes['draw:style-name'], [
    'style:drawing-page-properties',
    'presentation:visibility',
  ]);
  return {
    title: title?.html ?? '',
    text: rest.map(({ html }) => html).join(''),
    notes: htmlOf(notes),
    isHidden: visibility === 'hidden',
    opens: shapes.some(({ kind, text }) => kind === 'subtitle' && text !== ''),
  };
}

/** Returns the largest size of type in a frame, in points, as far as its words say it. @param {XmlElement} frame @param {Styles} styles */
function sizeOf(frame, styles) {
  const sizes = descendants(frame, 'text:span').map(({ attributes }) =>
    Number.parseFloat(styles.textProperty('text', attributes['text:style-name'], 'fo:font-size') ?? '0'),
  );
  return sizes.reduce((most, size) => Math.max(most, size || 0), 0);
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
