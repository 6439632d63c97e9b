import { readJson } from '../../../core/json/read-json.js';
import { cleanText } from '../../../core/text/clean.js';
import { markdownParts } from '../markdown.js';
import { BrokenRecord, isRecord, recordsIn } from '../table/record-table.js';
import { linksOf } from './links.js';
import { below } from './places.js';

/** @typedef {import('../parts.js').Part} Part */
/** @typedef {Record<string, unknown>} Member */

/** The level of the outermost headings: the name of the file stands above them. */
const OUTERMOST = 2;

/**
 * Returns the parts of a canvas (https://jsoncanvas.org/spec/1.0): the text of each node, as Markdown, a passage of its own below the groups in which it
 * lies, from the top to the bottom; then the files and the addresses that lie there. What an arrow leads from says what it leads to.
 * @param {string} written
 * @returns {{ parts: Iterable<Part> }}
 */
export function canvasParts(written) {
  const { nodes, edges } = canvasOf(written);
  return { parts: partsBelow(below(nodes), linksOf(nodes, edges)) };
}

/** @param {string} written @returns {{ nodes: Member[], edges: Member[] }} */
function canvasOf(written) {
  const text = written.replace(/^\ufeff/u, '');
  // A canvas that was only just made has no text.
  if (text.trim() === '') return { nodes: [], edges: [] };
  let root;
  try {
    root = readJson(text);
  } catch {
    throw new BrokenRecord('is no canvas: damaged, cut off, or of another type; save it anew');
  }
  if (!isRecord(root))
    throw new BrokenRecord('is no canvas: it is no object; rename it if it is a file of another type');
  return { nodes: recordsIn(root.nodes), edges: recordsIn(root.edges) };
}

/** @typedef {import('./places.js').Place} Place */

/**
 * Yields what stands in a place: texts without headings before those with some, below which they would stand.
 * @param {Place} place @param {ReadonlyMap<unknown, string[]>} links
 * @param {number} [level] of headings in the place
 * @returns {Generator<Part>}
 */
function* partsBelow({ nodes, groups }, links, level = OUTERMOST) {
  const texts = nodes.filter(({ type, text }) => type === 'text' && typeof text === 'string').map(textOf);
  for (const { node, parts } of texts.filter(({ isTitled }) => !isTitled)) {
    for (const [i, { kind, ...part }] of parts.entries())
      yield { ...part, kind: kind === 'heading' ? 'prose' : kind, ...(i === 0 ? { opens: true } : {}) };
    yield* sentences(node, links);
  }
  let opens = true;
  for (const node of nodes) {
    const address = addressOf(node);
    if (address === '') continue;
    yield { kind: 'list', text: address, ...(opens ? { opens } : {}) };
    yield* sentences(node, links);
    opens = false;
  }
  for (const { node, parts } of texts.filter(({ isTitled }) => isTitled)) {
    for (const part of parts) yield part.kind === 'heading' ? { ...part, level: level + part.level - 1 } : part;
    yield* sentences(node, links);
  }
  for (const { node, place } of groups) {
    yield { kind: 'heading', level, text: cleanText(String(node.label ?? '')).trim() };
    yield* sentences(node, links);
    yield* partsBelow(place, links, level + 1);
  }
}

/** Returns the parts of a text, and whether it begins with a heading. @param {Member} node */
function textOf(node) {
  const parts = [...markdownParts(cleanText(String(node.text)))];
  return { node, parts, isTitled: parts[0]?.kind === 'heading' };
}

/** Returns the file or the address that a node shows, empty for another. @param {Member} node */
function addressOf({ type, file, subpath, url }) {
  if (type === 'file' && typeof file === 'string')
    return cleanText(`file: ${file}${typeof subpath === 'string' ? subpath : ''}`);
  return type === 'link' && typeof url === 'string' ? cleanText(`link: ${url}`) : '';
}

/** @param {Member} node @param {ReadonlyMap<unknown, string[]>} links @returns {Generator<Part>} */
function* sentences({ id }, links) {
  const said = links.get(id) ?? [];
  if (said.length > 0) yield { kind: 'prose', text: said.join('\n') };
}
