import { cleanText } from '../../../core/text/clean.js';
import { commentBlocks, isAllComment, openingBlocks } from './comments.js';
import { declaredIn, docstringOf, isHolder, openingOf } from './declared.js';
import { bodyOf } from './given.js';
import { withTree } from './grammar.js';
import { headingOf } from './heading.js';
import { languageOfExtension } from './languages.js';
import { piecesOf } from './pieces.js';
import { codeWithoutSecrets } from './secrets.js';

/** @typedef {import('../parts.js').Part} Part */
/** @typedef {import('./declared.js').Declared} Declared */
/** @typedef {import('./languages.js').Language} Language */
/** @typedef {import('@vscode/tree-sitter-wasm').Node} Node */

/** What holds others and is longer, in characters, is divided into them. */
const WHOLE = 1500;
/** Longer files are data, or made by a program, and have no tree. */
const LONGEST = 2_000_000;
/** What a file gives to others as a whole, so that its pieces are called as they are. */
const OF_MODULE = /^(?:(?:module\.)?exports|default)$/u;
/** Classes within classes that are divided. */
const DEEPEST = 4;

/**
 * Returns the parts of a file of source code, which is never run: each function, class and the like below its name, what the comment above it says as text and then
 * its code; long classes with their methods below names such as `Store.load`. Imports, short declarations and the rest stand first. Without a grammar of the language, pieces are told by their form.
 * @param {string} written @param {string} name Of the file.
 * @returns {Promise<{ title: string, parts: Part[] }>}
 */
export async function codeParts(written, name) {
  refuseMade(written);
  const text = codeWithoutSecrets(cleanText(written).replace(/\r\n?/gu, '\n'), name);
  const language = languageOfExtension(/\.[^.]*$/u.exec(name)?.[0]?.toLowerCase() ?? '');
  const read =
    language === undefined || text.length > LONGEST
      ? undefined
      : await withTree(language.grammar, text, (root) => [...holderParts({ text, language, depth: 0 }, root)]);
  return { title: name, parts: read ?? [...piecesOf(text)] };
}

/** Code is longer than this, in characters, and its lines on average, where it was made for a browser. */
const MADE_FROM = 10_000;
const LONG_LINES = 300;

/** @param {string} written */
function refuseMade(written) {
  if (written.length < MADE_FROM) return;
  const lines = written.split('\n').length;
  if (written.length / lines > LONG_LINES)
    throw new MadeByProgram(
      `is code that a program made: its lines are ${Math.round(written.length / lines)} characters long`,
    );
}

/** Code that no person wrote. */
class MadeByProgram extends Error {
  name = 'MadeByProgram';
}

/** @typedef {{ text: string, language: Language, depth: number, name?: string }} Reading */

/**
 * Yields what a file or a class holds outside of named pieces, then the pieces.
 * @param {Reading} reading @param {Node} holder @param {{ start?: number, end?: number }} [span] Where it begins and ends, with what stands around it.
 * @returns {Generator<Part>}
 */
function* holderParts(reading, holder, { start = 0, end = reading.text.length } = {}) {
  const { text, language } = reading;
  const isFile = reading.depth === 0;
  const pieces = [...declaredIn(isFile ? holder : bodyOf(holder), language)];
  const doc = docstringIn(reading, holder);
  const opening = isFile ? openingOf(holder, pieces[0]?.start ?? end) : undefined;
  for (const comment of opening?.texts ?? []) yield* openingBlocks(comment);
  if (doc !== undefined) yield* commentBlocks(doc.text);
  const cuts = [opening, doc, ...pieces].filter((cut) => cut !== undefined);
  yield* restBlocks(without(text, { start, end, cuts }));
  for (const piece of pieces) yield* pieceParts(reading, piece);
}

/** Returns the docstring that a piece of Python begins with, with the line that it stands on. @param {Reading} reading @param {Node} node */
function docstringIn({ text, language }, node) {
  const doc = docstringOf(node, language);
  if (doc === undefined) return undefined;
  const line = text.lastIndexOf('\n', doc.start) + 1;
  return { ...doc, start: text.slice(line, doc.start).trim() === '' ? Math.max(0, line - 1) : doc.start };
}

/** @param {Reading} reading @param {Declared} piece @returns {Generator<Part>} */
function* pieceParts(reading, { name: own, node, codeStart, end, comment }) {
  const { text, language, depth } = reading;
  const name = reading.name === undefined ? own : `${reading.name}${language.joint}${own}`;
  yield headingOf(name);
  yield* commentBlocks(comment);
  if (isHolder(node, language) && end - codeStart > WHOLE && depth < DEEPEST) {
    const { name: _, ...others } = reading;
    const above = OF_MODULE.test(name) ? others : { ...reading, name };
    yield* holderParts({ ...above, depth: depth + 1 }, node, { start: codeStart, end });
    return;
  }
  const doc = docstringIn(reading, node);
  if (doc !== undefined) yield* commentBlocks(doc.text);
  const code = without(text, { start: codeStart, end, cuts: doc === undefined ? [] : [doc] });
  yield { kind: 'code', text: dedented(code, text.slice(text.lastIndexOf('\n', codeStart - 1) + 1, codeStart)) };
}

/** Returns a stretch of a text without some stretches of it, and the empty lines that these leave. @param {string} text @param {{ start: number, end: number, cuts: ReadonlyArray<{ start: number, end: number }> }} given */
function without(text, { start, end, cuts }) {
  let kept = '';
  let from = start;
  for (const cut of cuts) {
    kept += text.slice(from, Math.max(from, cut.start));
    // What parts it from the next one.
    const isParted = text[cut.end] === ',' || text[cut.end] === ';';
    from = Math.max(from, cut.end + (isParted ? 1 : 0));
  }
  return (kept + text.slice(from, end))
    .replace(/\n\s*\n\s*\n/gu, '\n\n')
    .replace(/^(?:[ \t]*\n)+/u, '')
    .trimEnd();
}

/** @param {string} code @param {string} before What stands before it on its first line. */
function dedented(code, before) {
  return /^[ \t]+$/u.test(before) ? code.replaceAll(`\n${before}`, '\n') : code;
}

/** Yields what stands outside of named pieces: comments as text, code as it is. @param {string} rest @returns {Generator<Part>} */
function* restBlocks(rest) {
  for (const block of rest.split(/\n\s*\n/u)) {
    if (!/[\p{L}\p{N}]/u.test(block)) continue;
    if (isAllComment(block)) yield* commentBlocks(block);
    else yield { kind: 'code', text: block };
  }
}
