import { elementAt, elementsOf } from '../xml/tree.js';
import { inlineHtml } from './pptx-text.js';

/** @typedef {import('../xml/tree.js').XmlElement} XmlElement */

/** Points of a diagram that say something: the others stand for lines and places. */
const SAY = new Set([undefined, 'node', 'asst']);
/** Levels of a diagram that are kept. */
const DEEPEST = 8;

/** Returns the words of a diagram (SmartArt) as a list in HTML, what belongs to a point below it. @param {XmlElement} model */
export function diagramHtml(model) {
  /** @type {Map<string, string>} */
  const texts = new Map();
  let root = '';
  for (const { attributes, children } of elementsOf(elementAt(model, 'dgm:ptLst'), 'dgm:pt')) {
    const id = attributes.modelId ?? '';
    if (attributes.type === 'doc') root = id;
    else if (SAY.has(attributes.type)) texts.set(id, textOf(children));
  }
  const below = childrenOf(elementsOf(elementAt(model, 'dgm:cxnLst'), 'dgm:cxn'));
  const seen = new Set();
  const write = (/** @type {string} */ parent, /** @type {number} */ depth) => {
    const items = (below.get(parent) ?? []).filter((id) => texts.has(id) && !seen.has(id));
    if (items.length === 0 || depth > DEEPEST) return '';
    /** @type {string} */
    let html = '<ul>';
    for (const id of items) {
      seen.add(id);
      html += `<li>${texts.get(id)}</li>${write(id, depth + 1)}`;
    }
    return `${html}</ul>`;
  };
  return write(root, 1);
}

/** @param {XmlElement['children']} children */
function textOf(children) {
  const text = children.find((child) => typeof child !== 'string' && child.name === 'dgm:t');
  return typeof text === 'string' ? '' : elementsOf(text, 'a:p').map(inlineHtml).join(' ');
}

/** Returns the points below each, in their order. @param {XmlElement[]} connections */
function childrenOf(connections) {
  const parents = connections
    .map(({ attributes }) => attributes)
    .filter(({ type }) => type === undefined || type === 'parOf')
    .sort((a, b) => Number(a.srcOrd ?? 0) - Number(b.srcOrd ?? 0));
  /** @type {Map<string, string[]>} */
  const below = new Map();
  for (const { srcId = '', destId = '' } of parents) {
    const siblings = below.get(srcId);
    if (siblings === undefined) below.set(srcId, [destId]);
    else siblings.push(destId);
  }
  return below;
}
