import { commentBlocks, isAllComment, openingBlocks } from './comments.js';
import { FEWEST_LINES } from './declared.js';
import { headingOf } from './heading.js';

/** @typedef {import('../parts.js').Part} Part */

/** Attributes above a declaration, each in a line: `@Entity(name = "boats")`, `[Test]`. */
const ATTRIBUTES = /^(?:[ \t]*(?:@[\w.]{1,80}(?:\([^\n]{0,200}\))?|\[[^\n\]]{0,200}\])[ \t]*\n){1,20}/u;
/** Words that stand before the one that says what is declared, and those that say it, in languages without a grammar: Kotlin, Swift, Scala, Lua, SQL and others. */
const BEFORE =
  '(?:(?:@\\w{1,80}|public|private|protected|internal|open|abstract|final|static|sealed|data|case|override|export|local|async|inline|suspend|pub|indirect|mutating|create|or|replace|materialized|temporary|temp|unique|external|foreign)\\s+){0,6}';
const KINDS =
  '(?:fun|func|function|fn|def|defp|defmodule|defmacro|class|struct|enum|interface|trait|protocol|extension|object|actor|module|message|service|type|input|sub|package|table|view|procedure|trigger|index|resource)';
/** A part of a name, in SQL in quotation marks of some kind. */
const PART = '(?:[\\p{L}_][\\p{L}\\p{N}_-]{0,117}|["`\\[][\\p{L}_][\\p{L}\\p{N}_ -]{0,117}["`\\]])';
const DECLARED = new RegExp(
  `^${BEFORE}${KINDS}(?:\\s+(?:concurrently|if\\s+not\\s+exists)){0,2}\\s+(?:<[^<>\\n]{0,100}>\\s*)?(${PART}(?:[.:]{1,2}${PART}){0,5})`,
  'iu',
);
/** A function of R. */
const ASSIGNED = /^([\p{L}_.][\p{L}\p{N}_.]{0,118})\s*(?:<-|=)\s*function\b/u;
/** A line that only closes what stands above it. */
const CLOSES = /^(?:[)\]}>;,]|end\b|else\b|catch\b|finally\b|then\b|do\b)/u;
/** Characters of a line in which a name is looked for. */
const LOOKED_AT = 400;

/**
 * Yields the parts of code in a language without a grammar: what begins at the edge behind an empty line is a piece, below its name where it declares one.
 * @param {string} text @returns {Generator<Part>}
 */
export function* piecesOf(text) {
  /** @type {Part[]} */
  const named = [];
  let isFirst = true;
  for (const piece of divided(text)) {
    const { comment, code } = piece;
    const name = nameOf(code.slice(0, LOOKED_AT));
    const blocks = isFirst ? openingBlocks(comment) : commentBlocks(comment);
    isFirst = false;
    /** @type {Part[]} */
    const parts = code === '' ? blocks : [...blocks, { kind: 'code', text: code }];
    if (name === undefined || (comment === '' && code.split('\n', FEWEST_LINES).length < FEWEST_LINES)) yield* parts;
    else named.push(headingOf(name), ...parts);
  }
  yield* named;
}

/** Returns the name that code declares with its first words; undefined for none. @param {string} code */
function nameOf(code) {
  const bare = code.replace(ATTRIBUTES, '');
  return DECLARED.exec(bare)?.[1]?.replace(/["`[\]]/gu, '') ?? ASSIGNED.exec(bare)?.[1];
}

/** Yields pieces of code, each with the comment that it begins with. @param {string} text @returns {Generator<{ comment: string, code: string }>} */
function* divided(text) {
  let open = '';
  for (const block of text.split(/\n(?:[ \t]*\n)+/u)) {
    if (!/[\p{L}\p{N}]/u.test(block)) continue;
    const goesOn = open !== '' && (/^\s/u.test(block) || CLOSES.test(block));
    if (!goesOn && open !== '') yield withComment(open);
    open = goesOn ? `${open}\n\n${block}` : block;
  }
  if (open !== '') yield withComment(open);
}

/** @param {string} piece */
function withComment(piece) {
  const lines = piece.split('\n');
  let count = 0;
  let isOpen = false;
  for (const line of lines) {
    if (!isOpen && !isAllComment(line) && !/^\s*\/\*/u.test(line)) break;
    isOpen = isOpen ? !line.includes('*/') : /^\s*\/\*/u.test(line) && !line.includes('*/');
    count += 1;
  }
  return { comment: lines.slice(0, count).join('\n'), code: lines.slice(count).join('\n').trimEnd() };
}
