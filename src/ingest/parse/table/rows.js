import { cellWithoutSecret, isOrdinary } from '../../../core/wording/secrets.js';
import { namingColumns, saysNoMore } from './naming.js';

/** @typedef {import('../parts.js').Part} Part */

/** A longer value is a paragraph of its own. In characters. */
const LONGEST_FACT = 160;
/** A longer value names no row. In characters. */
const LONGEST_NAME = 200;
/** Longer words in capitals are no abbreviations. */
const LONGEST_ABBREVIATION = 4;

/**
 * Yields the rows of a table. A row that has a name is a section below it, of its other cells: "price: 89; status: Sold out."; any
 * other is a list item of all its cells. Without `head` cells have no names. Passwords, tokens and keys are left out.
 * @param {{ head?: string[] | undefined, rows: string[][] }} table
 * @returns {Generator<Part>}
 */
export function* rowParts({ head = [], rows: written }) {
  const keys = head.map((label, column) =>
    isOrdinary(label, () => written.map((row) => row[column] ?? '')) ? '' : label,
  );
  const rows = written.map((row) => row.map((cell, column) => cellWithoutSecret(keys[column] ?? '', cell)));
  const labels = head.map(labelOf);
  const naming = namingColumns(head, rows);
  // "Name" beside the name says no more than the name; "supplier" does.
  const spared = new Set(naming.filter((column) => naming.length > 1 || saysNoMore(head[column] ?? '')));
  for (const row of rows) {
    const name = naming
      .flatMap((column) => row[column] || [])
      .join(' ')
      .replace(/\s+/gu, ' ');
    const isNamed = name !== '' && name.length <= LONGEST_NAME;
    const blocks = [...blocksOf(row, labels, (column) => isNamed && spared.has(column))];
    if (isNamed && blocks.length > 0) {
      yield { kind: 'heading', level: 2, text: name };
      for (const text of blocks) yield { kind: 'prose', text };
    } else yield { kind: 'list', text: `- ${blocks.length === 0 ? name : blocks.join(' ')}` };
  }
}

/**
 * Yields the cells of a row in order: short ones together, each long one alone.
 * @param {string[]} row @param {string[]} labels @param {(column: number) => boolean} isSpared
 */
function* blocksOf(row, labels, isSpared) {
  let facts = [];
  for (const [column, cell] of row.entries()) {
    if (cell === '' || isSpared(column)) continue;
    const label = labels[column] ?? '';
    const fact = label === '' ? cell : `${label}: ${cell}`;
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

/**
 * Returns the name of a column as words of a sentence: "unitPrice" and "UNIT_PRICE" are "unit price". A capital letter would make a name of
 * it, to which the texts of others could lead.
 * @param {string} written
 */
function labelOf(written) {
  return written
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replace(/[\s_]+/gu, ' ')
    .replace(/\p{L}+/gu, (word) =>
      word === word.toUpperCase() && word.length <= LONGEST_ABBREVIATION ? word : word.toLowerCase(),
    )
    .trim();
}
