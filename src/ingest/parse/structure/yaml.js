import { isAlias, isMap, isScalar, isSeq, parseAllDocuments } from 'yaml';
import { cleanText } from '../../../core/text/clean.js';
import { textParts } from '../plain-text.js';
import { masked } from './secrets.js';
import { structureParts } from './structure.js';

/** @typedef {import('../parts.js').Part} Part */
/** @typedef {import('./structure.js').Tree} Tree */
/** @typedef {import('./structure.js').Pair} Pair */

/**
 * Returns the keys and values of a file of YAML, its documents one after another, with its comments. Values stay as they are written; what an alias
 * repeats stands where its anchor is. What is no YAML, as the template of one, is a plain text.
 * @param {string} text
 * @returns {{ parts: Iterable<Part> }}
 */
export function yamlParts(text) {
  const options = /** @type {const} */ ({ uniqueKeys: false, strict: false, prettyErrors: false, logLevel: 'silent' });
  const documents = [...parseAllDocuments(text, options)];
  // Comments alone are no document of YAML.
  if (documents.length === 0 || documents.some(({ errors }) => errors.length > 0))
    return { parts: textParts(masked(cleanText(text))) };
  const read = () => {
    const trees = documents.map(treeOfDocument).filter((tree) => tree !== '');
    return trees.length === 1 ? trees[0] : trees;
  };
  return { parts: structureParts(read) };
}

/** @param {import('yaml').Document.Parsed} document @returns {Tree} */
function treeOfDocument({ contents, commentBefore, comment }) {
  const tree = treeOf(contents);
  const remarks = [commentBefore, contents?.commentBefore, comment].flatMap((one) => one || []).map(remarkOf);
  if (remarks.length === 0) return tree;
  const above = { key: '', value: '', above: remarks.join('\n') };
  if (typeof tree === 'string' || Array.isArray(tree)) return { pairs: [above, { key: '', value: tree }] };
  return { pairs: [above, ...tree.pairs] };
}

/** @param {unknown} node @returns {Tree} */
function treeOf(node) {
  if (isMap(node)) return { pairs: node.items.map(pairOf) };
  if (isSeq(node)) return node.items.map(treeOf);
  if (isAlias(node)) return `as ${node.source}`;
  return isScalar(node) ? textOf(node) : '';
}

/** @param {import('yaml').Pair} pair @returns {Pair} */
function pairOf({ key, value }) {
  const above = [commentOf(key, 'commentBefore'), commentOf(value, 'commentBefore')]
    .flatMap((one) => one ?? [])
    .join('\n');
  const beside = [commentOf(key, 'comment'), commentOf(value, 'comment')].flatMap((one) => one ?? []).join('; ');
  return {
    key: isScalar(key) ? textOf(key) : JSON.stringify(treeOf(key)),
    value: treeOf(value),
    ...(above === '' ? {} : { above }),
    ...(beside === '' ? {} : { beside }),
  };
}

/** Returns a scalar as it is written, with the tag that a program gives a meaning: "!Ref Bucket". @param {import('yaml').Scalar} scalar */
function textOf({ value, source, tag }) {
  const written = typeof value === 'string' ? value : value === null ? '' : (source ?? String(value));
  return cleanText(tag?.startsWith('!') ? `${tag} ${written}` : written).trim();
}

/** @param {unknown} node @param {'comment' | 'commentBefore'} place */
function commentOf(node, place) {
  const comment = /** @type {{ comment?: string, commentBefore?: string } | null} */ (node)?.[place];
  return comment ? remarkOf(comment) : undefined;
}

/** @param {string} comment */
function remarkOf(comment) {
  return masked(cleanText(comment.replace(/^[#\s]+|\s+$/gmu, '')));
}
