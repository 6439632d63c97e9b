import { cleanText } from '../../../core/text/clean.js';

/** @typedef {Record<string, unknown>} Member */

/** Characters of a node by which an arrow names it. */
const LONGEST = 100;
/** Signs of Markdown before the words of a line, and around some of them. */
const MARKS = /^[\s#>*+-]+|\[[ x]\]|[*_`~=]{2,}|[`[\]]/gu;
/** What ends a sentence. */
const ENDED = /[.!?:;。？！]$/u;

/**
 * Returns what the arrows of a canvas say, by the node that each leads from: "Boiler feeds Radiators." where it has a label, else "Boiler → Radiators."
 * @param {Member[]} nodes @param {Member[]} edges
 * @returns {Map<unknown, string[]>}
 */
export function linksOf(nodes, edges) {
  const names = new Map(nodes.map((node) => [node.id, nameOf(node)]));
  /** @type {Map<unknown, string[]>} */
  const links = new Map();
  for (const edge of edges) {
    const { from, to } = endsOf(edge);
    const [first = '', second = ''] = [names.get(from), names.get(to)];
    if (first === '' || second === '') continue;
    const sentence = sentenceOf(first, labelOf(edge), second);
    const others = links.get(from);
    if (others === undefined) links.set(from, [sentence]);
    else others.push(sentence);
  }
  return links;
}

/** Returns the ends of an edge in the direction of its arrow. @param {Member} edge */
function endsOf({ fromNode, toNode, fromEnd = 'none', toEnd = 'arrow' }) {
  const isBack = fromEnd === 'arrow' && toEnd === 'none';
  return isBack ? { from: toNode, to: fromNode } : { from: fromNode, to: toNode };
}

/** @param {Member} edge */
function labelOf({ label }) {
  return typeof label === 'string' ? cleanText(label).replace(/\s+/gu, ' ').trim() : '';
}

/** @param {string} first @param {string} label @param {string} second */
function sentenceOf(first, label, second) {
  const end = ENDED.test(second) ? '' : '.';
  if (label === '') return `${first} → ${second}${end}`;
  // "Is it cold?", "yes", "Light the stove" are no sentence together.
  return ENDED.test(first) ? `${first} ${label}: ${second}${end}` : `${first} ${label} ${second}${end}`;
}

/** Returns what a node is called: its first words, its label, the name of its file. @param {Member} node */
function nameOf({ type, text, file, url, label }) {
  if (type === 'file' && typeof file === 'string')
    return cleanText(/([^/]*?)(?:\.\w{1,8})?$/u.exec(file.slice(-4 * LONGEST))?.[1] ?? '');
  const written = [type === 'text' ? text : type === 'link' ? url : label].find((one) => typeof one === 'string') ?? '';
  const line = firstLine(String(written));
  const name = cleanText(line.slice(0, 4 * LONGEST))
    .replace(MARKS, '')
    .trim();
  return name.length > LONGEST ? `${name.slice(0, LONGEST).replace(/\s\S*$/u, '')} …` : name;
}

/** @param {string} text */
function firstLine(text) {
  const words = text.trimStart();
  const end = words.indexOf('\n');
  return end < 0 ? words : words.slice(0, end);
}
