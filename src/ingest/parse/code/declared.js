import { bodyOf, DEEPEST, declaratorsOf, FUNCTIONS, functionGiven, givenTo, HOLDING, isNamedByValue } from './given.js';
import { nameOf } from './names.js';

/** @typedef {import('@vscode/tree-sitter-wasm').Node} Node */
/** @typedef {import('./languages.js').Language} Language */

/**
 * A named piece of code.
 * @typedef {object} Declared
 * @property {string} name
 * @property {Node} node
 * @property {number} start Where it begins in the text, with the comments and attributes above it.
 * @property {number} codeStart Where its code begins, behind its comments.
 * @property {number} end
 * @property {string} comment What stands above it as comments; empty for nothing.
 */

/** Declarations of values: short ones are pieces of their own only where a comment says what they are. */
const PLAIN = new Set([
  'lexical_declaration',
  'variable_declaration',
  'public_field_definition',
  'field_definition',
  'declaration',
  'field_declaration',
  'preproc_def',
  'const_declaration',
  'var_declaration',
  'const_item',
  'static_item',
  'property_declaration',
]);
/** A declaration of fewer lines without a comment is read with what stands around it; of a value, of fewer than the second. */
export const FEWEST_LINES = 4;
const FEWEST_OF_VALUE = 10;

/**
 * Yields the named pieces of code in a node, in order and none within another. Those of one to three lines that no comment stands above are left out.
 * @param {Node} holder @param {Language} language @param {number} [depth] @param {Node[]} [above] Comments before it.
 * @returns {Generator<Declared>}
 */
export function* declaredIn(holder, language, depth = 0, above = []) {
  for (const child of holder.namedChildren) {
    if (child === null) continue;
    if (isComment(child) && isOfFile(child, language)) continue;
    if (isComment(child) || language.before.has(child.type)) {
      if (!adjoins(above.at(-1), child)) above = [];
      above.push(child);
      continue;
    }
    const own = adjoins(above.at(-1), child) ? above : [];
    above = [];
    const node = declarationOf(child, language);
    const name = node === undefined ? '' : nameOf(node, language);
    if (node !== undefined && name !== '') {
      const found = withAbove(name, { node, outer: child, above: own });
      if (isPiece(found, language)) yield found;
    } else if (language.around.has(child.type) && depth < DEEPEST) yield* declaredIn(child, language, depth + 1, own);
  }
}

/** Returns whether a declaration holds others, as a class and an object do. @param {Node} node @param {Language} language */
export function isHolder(node, { holders }) {
  return holders.has(node.type) || HOLDING.has(givenTo(node)?.type ?? '');
}

/** Returns where the docstring of Python lies that a body begins with, and what it is; undefined for none. @param {Node} holder @param {Language} language */
export function docstringOf(holder, { grammar }) {
  if (grammar !== 'python') return undefined;
  const first = bodyOf(holder).namedChildren.find((child) => child !== null && !isComment(child));
  const text = first?.type === 'expression_statement' ? first.namedChildren[0] : first;
  return first != null && text?.type === 'string'
    ? { start: first.startIndex, end: first.endIndex, text: text.text }
    : undefined;
}

/** Returns the comments that a file begins with, before anything is declared, those below each other as one; undefined for none. @param {Node} root @param {number} before */
export function openingOf(root, before) {
  /** @type {Node[]} */
  const comments = [];
  for (const child of root.namedChildren) {
    if (child === null || !/comment$|^hash_bang_line$|^php_tag$/u.test(child.type) || child.startIndex >= before) break;
    comments.push(child);
  }
  const [first] = comments;
  const last = comments.at(-1);
  if (first === undefined || last === undefined) return undefined;
  return { start: first.startIndex, end: last.endIndex, texts: joined(comments.filter(isComment)) };
}

/** Returns the texts of comments: those of one line that adjoin each other are one. @param {readonly Node[]} comments */
function joined(comments) {
  /** @type {string[]} */
  const texts = [];
  for (const [i, comment] of comments.entries()) {
    const text = comment.text.trimEnd();
    const before = texts.at(-1)?.startsWith('/*') || text.startsWith('/*') ? undefined : comments[i - 1];
    if (adjoins(before, comment)) texts.push(`${texts.pop()}\n${text}`);
    else texts.push(text);
  }
  return texts;
}

/** @param {Node} node */
export function isComment({ type }) {
  return type.endsWith('comment');
}

/** Returns whether a comment speaks of the file that it stands in, and not of what is below it. @param {Node} comment @param {Language} language */
function isOfFile({ text }, { grammar }) {
  return grammar === 'rust' && text.startsWith('//!');
}

/** Returns whether nothing but the end of a line lies between two nodes, or an empty line behind a comment that is written for documentation. @param {Node | undefined} before @param {Node} node */
function adjoins(before, node) {
  if (before === undefined) return false;
  // A comment of one line may hold the end of that line.
  const last = before.endPosition.column === 0 ? before.endPosition.row - 1 : before.endPosition.row;
  return node.startPosition.row - last <= (before.text.startsWith('/**') ? 2 : 1);
}

/** @param {string} name @param {{ node: Node, outer: Node, above: Node[] }} found @returns {Declared} */
function withAbove(name, { node, outer, above }) {
  const comments = above.filter(isComment);
  const code = above.find((one) => !isComment(one)) ?? outer;
  return {
    name,
    node,
    start: (above[0] ?? outer).startIndex,
    codeStart: Math.min(code.startIndex, outer.startIndex),
    end: outer.endIndex,
    comment: comments.map(({ text }) => text.trimEnd()).join('\n'),
  };
}

/** @param {Declared} declared @param {Language} language */
function isPiece({ node, comment }, language) {
  if (isImport(node)) return false;
  if (comment !== '' || docstringOf(node, language) !== undefined) return true;
  const fewest = PLAIN.has(node.type) && !isOfFunction(node) ? FEWEST_OF_VALUE : FEWEST_LINES;
  return node.endPosition.row - node.startPosition.row + 1 >= fewest;
}

/** Returns whether a value is a function, or made of one as by `memo(…)`. @param {Node} node */
function isOfFunction(node) {
  const value = givenTo(node);
  return value !== undefined && (FUNCTIONS.has(value.type) || functionGiven(value) !== undefined);
}

/** @param {Node} node */
function isImport(node) {
  return declaratorsOf(node)[0]?.childForFieldName('value')?.text.startsWith('require(') === true;
}

/** Returns the declaration that a node is, or stands around with an export, decorators or a template. @param {Node} node @param {Language} language @param {number} [depth] @returns {Node | undefined} */
function declarationOf(node, language, depth = 0) {
  if (language.declared.has(node.type)) return node;
  if (!language.around.has(node.type) || !WRAPS.has(node.type) || depth > DEEPEST || isGroup(node)) return undefined;
  if (node.type === 'export_statement' && isNamedByValue(node)) return node;
  for (const child of node.namedChildren) {
    const found = child === null ? undefined : declarationOf(child, language, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns whether a node declares several types, each of which is a piece: `type ( … )` of Go. @param {Node} node */
function isGroup({ type, namedChildren }) {
  return type === 'type_declaration' && namedChildren.filter((child) => child !== null && !isComment(child)).length > 1;
}

/** What stands around one declaration. */
const WRAPS = new Set([
  'type_declaration',
  'export_statement',
  'ambient_declaration',
  'decorated_definition',
  'template_declaration',
  'expression_statement',
]);
