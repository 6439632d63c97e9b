import { Composer, isAlias, isMap, isScalar, isSeq, Parser } from 'yaml';
import { cleanText } from '../../../core/text/clean.js';
import { masked } from '../../../core/wording/secrets.js';
import { paragraphs } from '../plain-text.js';
import { structureParts } from './structure.js';

/** @typedef {import('../parts.js').Part} Part */
/** @typedef {import('./structure.js').Tree} Tree */
/** @typedef {import('./structure.js').Pair} Pair */

/**
 * Returns the keys and values of a file of YAML, its documents one after another, with its comments. Values stay as they are written; what an alias
 * repeats stands where its anchor is. What is no YAML, as the template of one, is a plain text whose lines stay lines, with a notice unless a program fills it in.
 * @param {string} text
 * @returns {{ notice?: string, parts: Iterable<Part> }}
 */
export function yamlParts(text) {
  const { documents, error } = readDocuments(text);
  // Comments alone are no document of YAML.
  if (documents.length === 0 || error !== undefined) {
    const notice = error === undefined || TEMPLATE.test(text) ? {} : { notice: noticeOf(text, error) };
    return { ...notice, parts: linesOf(masked(cleanText(text))) };
  }
  const read = () => {
    const trees = documents.map((document) => treeOfDocument(document, text)).filter((tree) => tree !== '');
    return trees.length === 1 ? trees[0] : trees;
  };
  return { parts: structureParts(read) };
}

/** @typedef {{ readonly start: number, readonly message: string }} Mistake Where a text is no YAML, and why. */

/**
 * Returns the documents of a text, or its first mistake: what follows the document that has it is not read. A broken file may have a
 * mistake at each letter, and the library makes an error with the stack of each: these took ten times as long as a whole file.
 * @param {string} text
 * @returns {{ documents: import('yaml').Document.Parsed[], error: Mistake | undefined }}
 */
function readDocuments(text) {
  const options = /** @type {const} */ ({ uniqueKeys: false, strict: false, prettyErrors: false, logLevel: 'silent' });
  const composer = new Composer(options);
  const documents = [];
  /** @type {Mistake | undefined} */
  let unexpected;
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    for (const token of new Parser().parse(text)) {
      if (token.type === 'error') unexpected ??= { start: token.offset, message: token.message };
      else documents.push(...composer.next(token));
      const isBroken = unexpected !== undefined && token.type === 'document';
      if (isBroken || documents.at(-1)?.errors.length) break;
    }
    documents.push(...composer.end());
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
  const [composed] = documents.flatMap(({ errors }) => errors);
  const mistakes = composed === undefined ? [] : [{ start: composed.pos[0], message: composed.message }];
  if (unexpected !== undefined) mistakes.push(unexpected);
  return { documents, error: mistakes.sort((a, b) => a.start - b.start)[0] };
}

/** What a template is filled in at. */
const TEMPLATE = /\{\{|\{%|<%|\$\{/u;

/** @param {string} text @returns {Generator<Part>} */
function* linesOf(text) {
  for (const paragraph of paragraphs(text))
    yield { kind: 'prose', text: paragraph.map((line) => line.trimEnd()).join('\n') };
}

/** @param {string} text @param {Mistake} error */
function noticeOf(text, { start, message }) {
  const line = text.slice(0, start).split('\n').length;
  // What it quotes may be a password.
  const quoted = message.replace(/(characters|stream): .*/su, '$1').replace(/\.$/u, '');
  const why = /call stack/u.test(message) ? 'it is nested too deeply' : quoted;
  return `It is no YAML from line ${line} on (${why}), and was read as plain text; mend the line and ingest the file again to have its keys and values.`;
}

/** @param {import('yaml').Document.Parsed} document @param {string} text @returns {Tree} */
function treeOfDocument({ contents, commentBefore, comment }, text) {
  const tree = treeOf(contents, text);
  const remarks = [commentBefore, contents?.commentBefore, comment].flatMap((one) => one || []).map(remarkOf);
  if (remarks.length === 0) return tree;
  const above = { key: '', value: '', above: remarks.join('\n') };
  if (typeof tree === 'string' || Array.isArray(tree)) return { pairs: [above, { key: '', value: tree }] };
  return { pairs: [above, ...tree.pairs] };
}

/** @param {unknown} node @param {string} text Of the file. @returns {Tree} */
function treeOf(node, text) {
  if (isMap(node)) return { pairs: withRepeated(node.items, text) };
  if (isSeq(node)) return node.items.map((item) => memberOf(item, text));
  if (isAlias(node)) return `as ${node.source}`;
  return isScalar(node) ? textOf(node) : '';
}

/**
 * Returns a member of a list with its anchor and tag in front, and what comments say of it: behind a text, above an object. The comments of a list in a
 * list are left out.
 * @param {unknown} node @param {string} text @returns {Tree}
 */
function memberOf(node, text) {
  const tree = treeOf(node, text);
  const { anchor, tag } = /** @type {{ anchor?: string, tag?: string }} */ (node ?? {});
  // The text of a scalar has its tag.
  const marks = [anchor && `&${anchor}`, !isScalar(node) && tag?.startsWith('!') && tag].filter(Boolean).join(' ');
  const remarks = ['commentBefore', 'comment'].flatMap((place) => commentOf(node, place) ?? []);
  if (typeof tree === 'string') {
    const marked = `${marks} ${tree}`.trim();
    return remarks.length === 0 ? marked : `${marked} # ${remarks.join('; ').replace(/\s+/gu, ' ')}`.trim();
  }
  if (Array.isArray(tree)) {
    if (marks === '') return tree;
    const [first = '', ...others] = tree;
    return typeof first === 'string' ? [`${marks} ${first}`.trim(), ...others] : [marks, ...tree];
  }
  if (marks === '' && remarks.length === 0) return tree;
  return {
    pairs: [{ key: '', value: marks, ...(remarks.length === 0 ? {} : { above: remarks.join('\n') }) }, ...tree.pairs],
  };
}

/** Returns pairs, those whose key stands above already with what tells their line. @param {import('yaml').Pair[]} items @param {string} text @returns {Pair[]} */
function withRepeated(items, text) {
  const seen = new Set();
  return items.map((item) => {
    const pair = pairOf(item, text);
    if (!seen.has(pair.key)) {
      seen.add(pair.key);
      return pair;
    }
    const start = /** @type {import('yaml').Node} */ (item.key).range?.[0] ?? 0;
    return { ...pair, repeatedOn: () => text.slice(0, start).split('\n').length };
  });
}

/** @param {import('yaml').Pair} pair @param {string} text @returns {Pair} */
function pairOf({ key, value }, text) {
  const above = [commentOf(key, 'commentBefore'), commentOf(value, 'commentBefore')]
    .flatMap((one) => one ?? [])
    .join('\n');
  const beside = [commentOf(key, 'comment'), commentOf(value, 'comment')].flatMap((one) => one ?? []).join('; ');
  return {
    key: isScalar(key) ? textOf(key) : JSON.stringify(treeOf(key, text)),
    value: treeOf(value, text),
    ...(above === '' ? {} : { above }),
    ...(beside === '' ? {} : { beside }),
  };
}

/** Returns a scalar as it is written, with the tag that a program gives a meaning: "!Ref Bucket". @param {import('yaml').Scalar} scalar */
function textOf({ value, source, tag }) {
  const written = typeof value === 'string' ? value : value === null ? '' : (source ?? String(value));
  return cleanText(tag?.startsWith('!') ? `${tag} ${written}` : written).trim();
}

/** @param {unknown} node @param {string} place Of a comment: `comment` or `commentBefore`. */
function commentOf(node, place) {
  const comment = /** @type {Record<string, string | undefined> | null} */ (node)?.[place];
  return comment ? remarkOf(comment) : undefined;
}

/** @param {string} comment */
function remarkOf(comment) {
  return masked(cleanText(comment.replace(/^[#\s]+|\s+$/gmu, '')));
}
