import { isOrdinary, isSecretKey, rowWithoutSecrets } from '../../../core/wording/secrets.js';
import { withIsoDays } from './column-days.js';
import { labelOf } from './labels.js';
import { namingColumns, saysNoMore } from './naming.js';
import { readableCell } from './nested-records.js';
import { rowKeys } from './row-keys.js';

/** @typedef {import('../parts.js').Part} Part */

/** A longer value is a paragraph of its own. In characters. */
const LONGEST_FACT = 160;
/** A longer value names no row. In characters. */
const LONGEST_NAME = 200;

/**
 * Yields the rows of a table. A row that has a name is a section below it, of its other cells: "price: 89; status: Sold out."; one that a few cells
 * tell from all others is one below these, of all its cells; any other is a list item, before all of these. Without `head` cells have no names. Rows
 * stand below the title that the table has above them, by the number of its first row. Passwords, tokens and keys are left out, and days
 * are written in ISO 8601 where their column tells their order.
 * @param {{ head?: string[] | undefined, rows: string[][], titles?: Map<number, string> }} table
 * @returns {Generator<Part>}
 */
export function* rowParts({ head = [], rows: written, titles = new Map() }) {
  const keys = head.map((label, column) =>
    isSecretKey(label) && isOrdinary(label, () => written.map((row) => row[column] ?? '')) ? '' : label,
  );
  const rows = withIsoDays(written).map(rowWithoutSecrets(keys));
  const labels = head.map(labelOf);
  const naming = namingColumns(head, rows);
  // "Name" beside the name says no more than the name; "supplier" does.
  const spared = new Set(naming.filter((column) => naming.length > 1 || saysNoMore(head[column] ?? '')));
  const names = naming.length > 0 ? rows.map((row) => nameOf(row, naming)) : (rowKeys(labels, rows) ?? []);
  const named = rows.map((row, i) => {
    const written = (names[i] ?? '').replace(/\s+/gu, ' ');
    const name = written.length <= LONGEST_NAME ? written : '';
    const saysMore = row.some((cell, column) => cell !== '' && !spared.has(column));
    return { row, name, isSection: name !== '' && saysMore };
  });
  const starts = [...new Set([0, ...titles.keys()])];
  for (const [i, start] of starts.entries()) {
    const title = titles.get(start);
    const group = named.slice(start, starts[i + 1]);
    if (title !== undefined) yield { kind: 'heading', level: 2, text: title };
    // Below the name of another row it would be said of that one.
    for (const { row, name, isSection } of group)
      if (!isSection) yield { kind: 'list', text: `- ${name || [...blocksOf(row, labels, () => false)].join(' ')}` };
    for (const { row, name, isSection } of group) {
      if (!isSection) continue;
      yield { kind: 'heading', level: title === undefined ? 2 : 3, text: name };
      for (const text of blocksOf(row, labels, (column) => spared.has(column))) yield { kind: 'prose', text };
    }
  }
}

/** @param {string[]} row @param {number[]} naming */
function nameOf(row, naming) {
  return naming.flatMap((column) => row[column] || []).join(' ');
}

/**
 * Yields the cells of a row in order: short ones together, each long one alone.
 * @param {string[]} row @param {string[]} labels @param {(column: number) => boolean} isSpared
 */
function* blocksOf(row, labels, isSpared) {
  let facts = [];
  for (const [column, written] of row.entries()) {
    if (written === '' || isSpared(column)) continue;
    const cell = readableCell(written, labelOf);
    const label = labels[column] ?? '';
    const fact = label === '' ? cell.trim() : `${label}:${cell.startsWith('\n') ? '' : ' '}${cell}`;
    if (cell.length <= LONGEST_FACT && !cell.includes('\n')) facts.push(fact);
    else {
      if (facts.length > 0) yield sentenceOf(facts);
      facts = [];
      yield fact;
    }
  }
  if (facts.length > 0) yield sentenceOf(facts);
}

/** @param {string[]} facts */
function sentenceOf(facts) {
  const text = facts.join('; ');
  return /[.!?…]["'”’»]?$/u.test(text) ? text : `${text}.`;
}
