import { cellWithoutSecret } from '../../../core/wording/secrets.js';
import { labelOf } from '../table/labels.js';
import { withoutPageLinks } from './page-links.js';

/** Properties of one page, and the length of the name of one, in characters. */
const MOST = 100;
const LONGEST_NAME = 60;
/** A longer value is a paragraph of its own. In characters. */
const LONGEST_VALUE = 300;
/** Longest block of properties. In characters. */
const LONGEST = 40_000;
/** The title of a page, with the empty line below it. */
const TITLE = /^\s{0,9}# [^\n]{1,1000}\n[^\S\n]{0,9}\n/u;
/** A property: a name, which is no sentence, no item of a list, no quotation, no cell and no address, and its value. */
const PROPERTY =
  /^(?!\d+[.)]\s|[+>|])(?<name>[\p{L}\p{N}\p{S}%(](?:[^:\n.!?]|[.!?](?=\S)){0,80}):[^\S\n]+(?<value>\S[^\n]*)$/u;

/**
 * Returns a text in which the lines of properties that stand below the title, as Notion writes them ("Status: Done"), are a row: "status: Done; due: March 4, 2026."
 * Markdown would join them without a sign between them. One line alone may be a sentence, and so may all where one is no property.
 * @param {string} text
 * @returns {string}
 */
export function withPropertyRow(text) {
  const title = TITLE.exec(text)?.[0];
  if (title === undefined) return text;
  const end = endOfLines(text, title.length);
  if (end === undefined) return text;
  const lines = text.slice(title.length, end).split('\n');
  if (lines.length < 2 || lines.length > MOST || !lines.every(isProperty)) return text;
  // "Note: wear gloves." is a sentence with its label.
  if (lines.filter(isSentence).length * 2 >= lines.length) return text;
  return `${title}${rowOf(lines.map(property))}\n${text.slice(end)}`;
}

/** Returns where the lines at a place end, at the next empty line; undefined where they are too long for properties. @param {string} text @param {number} start */
function endOfLines(text, start) {
  const found = text.slice(start, start + LONGEST).search(/\n[^\S\n]{0,9}(?:\n|$)/u);
  if (found !== -1) return start + found;
  return text.length <= start + LONGEST ? text.length : undefined;
}

/** Returns a property as a row has it. @param {string} line */
function property(line) {
  const { name = '', value = '' } = PROPERTY.exec(line)?.groups ?? {};
  // The table that this row is left out for hides the same.
  return `${labelOf(name)}: ${cellWithoutSecret(name, withoutPageLinks(value))}`;
}

/** @param {string} line */
function isProperty(line) {
  const name = PROPERTY.exec(line)?.groups?.name;
  return name !== undefined && name.length <= LONGEST_NAME;
}

/** @param {string} line */
function isSentence(line) {
  return /[.!?…]["'”’»)]?\s*$/u.test(line);
}

/** Returns properties as a row, each long one as a paragraph below it. @param {string[]} lines */
function rowOf(lines) {
  const cells = lines.filter((line) => line.length <= LONGEST_VALUE);
  const paragraphs = lines.filter((line) => line.length > LONGEST_VALUE);
  const row = cells
    .map((cell, i) => (isSentence(cell) ? cell : `${cell}${i < cells.length - 1 ? ';' : '.'}`))
    .join(' ');
  return [...(cells.length === 0 ? [] : [row]), ...paragraphs].join('\n\n');
}
