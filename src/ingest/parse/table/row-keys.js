import { LEFT_OUT } from '../../../core/wording/secret-forms.js';
import { namesNothing } from './naming.js';

/** Columns that tell rows apart together, and columns that are looked at: a table begins with what its rows are about. */
const MOST_COLUMNS = 4;
const FIRST_COLUMNS = 8;
/** Rows that their keys tell apart, of all. */
const TOLD_APART = 0.95;
/** A longer cell is a text. In characters. */
const LONGEST_CELL = 80;
/** What says something by itself. */
const WORD = /\p{L}{2}/u;

/**
 * Returns what tells the rows of a table apart where no column names them, as a timetable's day, hour and class do: for each row the cells of the
 * fewest leading columns that do, a number, a date or a code with the name of its column. Undefined where four columns do not suffice, and where no column
 * says anything in words, as of measurements: such rows are read together.
 * @param {string[]} labels the names of the columns @param {string[][]} rows @returns {string[] | undefined}
 */
export function rowKeys(labels, rows) {
  if (rows.length < 2 || !saysWords(labels, rows)) return undefined;
  /** @type {string[]} */
  let keys = rows.map(() => '');
  let distinct = 1;
  let chosen = 0;
  for (let column = 0; column < Math.min(FIRST_COLUMNS, labels.length); column += 1) {
    if (labels[column] === '' || rows.some((row) => isNoName(row[column] ?? ''))) continue;
    const longer = keys.map((key, i) => joined(key, labelled(labels[column] ?? '', rows[i]?.[column] ?? '')));
    const { size } = new Set(longer);
    if (size === distinct) continue;
    keys = longer;
    distinct = size;
    chosen += 1;
    if (size === rows.length) break;
    if (chosen === MOST_COLUMNS) break;
  }
  return distinct >= TOLD_APART * rows.length ? keys : undefined;
}

/** Returns whether a cell names no row: a text, or what stands for a secret. @param {string} cell */
function isNoName(cell) {
  return cell.length > LONGEST_CELL || cell === LEFT_OUT;
}

/** Returns whether a column has different words. @param {string[]} labels @param {string[][]} rows */
function saysWords(labels, rows) {
  return labels.some((_, column) => {
    const words = new Set();
    for (const row of rows) {
      const cell = row[column] ?? '';
      if (WORD.test(cell) && cell !== LEFT_OUT && !namesNothing(cell)) words.add(cell);
      if (words.size > 1) return true;
    }
    return false;
  });
}

/** @param {string} label @param {string} cell */
function labelled(label, cell) {
  return cell === '' || (WORD.test(cell) && !namesNothing(cell)) ? cell : `${label} ${cell}`;
}

/** @param {string} key @param {string} cell */
function joined(key, cell) {
  if (cell === '') return key;
  return key === '' ? cell : `${key}, ${cell}`;
}
