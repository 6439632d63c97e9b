import { relationsOf } from '../xml/package.js';
import { elementAt, elementsOf, readXml, textIn } from '../xml/tree.js';
import { deckParts } from './deck.js';
import { paragraphsHtml } from './pptx-text.js';
import { readShapes } from './shapes.js';

/** @typedef {import('../xml/tree.js').XmlElement} XmlElement */
/** @typedef {import('./deck.js').Slide} Slide */

const PROPERTIES = 'docProps/core.xml';

/** Returns whether an entry of a presentation of PowerPoint holds text, or says where text is. @param {string} name */
export function isOfPptx(name) {
  return (
    name === PROPERTIES ||
    /^_rels\/\.rels$|^ppt\/(?:_rels\/)?presentation\.xml(?:\.rels)?$/u.test(name) ||
    /^ppt\/(?:slides|notesSlides|slideLayouts|diagrams)\/(?:_rels\/)?[^/]+\.(?:xml|rels)$/u.test(name)
  );
}

/**
 * Returns the parts of a presentation of PowerPoint.
 * @param {Map<string, Uint8Array>} files
 */
export function pptxParts(files) {
  const main = relationsOf(files, '').find(({ type }) => type === 'officeDocument')?.path ?? 'ppt/presentation.xml';
  if (!files.has(main)) throw new Error('is no presentation');
  const property = textIn(elementAt(readXml(files.get(PROPERTIES)), 'dc:title'));
  return deckParts(slidesOf(files, main), property);
}

/** Yields the slides in their order. @param {Map<string, Uint8Array>} files @param {string} main @returns {Generator<Slide>} */
function* slidesOf(files, main) {
  const paths = new Map(relationsOf(files, main).map(({ id, path }) => [id, path]));
  const listed = elementsOf(elementAt(readXml(files.get(main)), 'p:sldIdLst'), 'p:sldId');
  // A file may list a slide very often.
  const order = new Set(listed.map(({ attributes }) => paths.get(attributes['r:id'] ?? '') ?? ''));
  /** Kinds of the layouts, which many slides share. @type {Map<string, string | undefined>} */
  const layouts = new Map();
  const kindOf = (/** @type {string} */ layout) => {
    if (!layouts.has(layout)) layouts.set(layout, readXml(files.get(layout)).attributes.type);
    return layouts.get(layout);
  };
  for (const path of order) if (files.has(path)) yield slideOf(files, path, kindOf);
}

/** @param {Map<string, Uint8Array>} files @param {string} path @param {(layout: string) => string | undefined} kindOf @returns {Slide} */
function slideOf(files, path, kindOf) {
  const relations = relationsOf(files, path);
  const root = readXml(files.get(path));
  const byId = new Map(relations.map((relation) => [relation.id, relation.path]));
  const { title, text, kinds } = readShapes(treeOf(root), (id) => files.get(byId.get(id) ?? ''));
  const layout = pathOf(relations, 'slideLayout');
  return {
    title,
    text,
    notes: notesOf(files, pathOf(relations, 'notesSlide')),
    isHidden: root.attributes.show === '0' || root.attributes.show === 'false',
    opens: kinds.has('ctrTitle') || kinds.has('subTitle'),
    divides: layout !== undefined && kindOf(layout) === 'secHead',
  };
}

/** @param {import('../xml/package.js').Relation[]} relations @param {string} type */
function pathOf(relations, type) {
  return relations.find((relation) => relation.type === type)?.path;
}

/** @param {XmlElement} root */
function treeOf(root) {
  return elementAt(root, 'p:cSld', 'p:spTree');
}

/** Returns what the speaker notes. @param {Map<string, Uint8Array>} files @param {string | undefined} path */
function notesOf(files, path) {
  if (path === undefined) return '';
  const shapes = elementsOf(treeOf(readXml(files.get(path))), 'p:sp');
  const isNotes = (/** @type {XmlElement} */ shape) =>
    elementAt(shape, 'p:nvSpPr', 'p:nvPr', 'p:ph')?.attributes.type === 'body';
  return shapes
    .filter(isNotes)
    .map((shape) => paragraphsHtml(elementAt(shape, 'p:txBody')))
    .join('');
}
