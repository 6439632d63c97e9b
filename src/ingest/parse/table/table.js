import { arePair, isSecretKey } from '../../../core/wording/secrets.js';
import { differsInKind, isHead, LONGEST_LABEL, SAMPLE, SENTENCE, standsAgain, withoutRepeated } from './head.js';
import { withUnits } from './head-units.js';
import { rowParts } from './rows.js';
import { withoutTitles } from './sections.js';

/** @typedef {import('../parts.js').Part} Part */

/** Records above the head of a table, such as the lines that a bank puts before its list. */
const MOST_ABOVE = 20;
/** How a variable of an environment or a key of settings of several words is written. */
const VARIABLE = /^[A-Za-z][A-Za-z\d]*(?:[_.-][A-Za-z\d]+)+$/u;

/**
 * Divides records into those above a table, its head and its rows; a head that stands again among the rows, as in files that were joined, is none
 * of them.
 * @param {string[][]} records
 */
export function tableOf(records) {
  const settings = settingsOf(records);
  if (settings !== undefined) return { above: [], head: ['name', 'value'], rows: settings };
  const width = widthOf(records.slice(0, SAMPLE));
  const short = shortHead(records, width);
  if (short !== undefined) return { above: [], head: short, rows: withoutRepeated(records[0], records.slice(1)) };
  const first = records.slice(0, MOST_ABOVE + 1).findIndex((record) => record.length >= width);
  const above = records.slice(0, Math.max(0, first) + titlesOf(records.slice(Math.max(0, first)), width));
  const table = records.slice(above.length);
  if (!isHead(table)) return { above, head: undefined, rows: table };
  const [head, ...rows] = table;
  return {
    above,
    head,
    rows: differsInKind(head, rows) || standsAgain(head, rows) ? withoutRepeated(head, rows) : rows,
  };
}

/**
 * Returns the records without comments where they are variables and their values alone, and one of them a secret, which would name the other values if it
 * stood first.
 * @param {string[][]} records @returns {string[][] | undefined}
 */
function settingsOf(records) {
  const isComment = (/** @type {string[]} */ [first = '']) => /^\s*[#;]/u.test(first);
  const isNamed = (/** @type {string[]} */ record) => record.length === 2 && /^[\w.-]{1,80}$/u.test(record[0] ?? '');
  if (!records.every((record) => isNamed(record) || isComment(record))) return undefined;
  const settings = records.filter((record) => !isComment(record));
  if (arePair(settings[0] ?? [])) return undefined;
  return settings.some(([name = '']) => VARIABLE.test(name) && isSecretKey(name)) ? settings : undefined;
}

/**
 * Returns how many records above a head are titles, as spreadsheets have them above their tables: most of their cells are empty, and each row
 * of the file is as wide as the table. 0 where no head comes after them.
 * @param {string[][]} records @param {number} width
 */
function titlesOf(records, width) {
  const [first, second = [], ...rows] = records;
  // One of two cells is not most of them: numbers below the next record tell that it is the head.
  if (width === 2 && first?.[0] && !first[1] && filledOf(second) === 2 && differsInKind(second, rows)) return 1;
  const head = records.findIndex((record) => filledOf(record) * 2 >= width);
  return head > 0 && head <= MOST_ABOVE && isHead(records.slice(head)) ? head : 0;
}

/** @param {string[]} record */
function filledOf(record) {
  return record.filter((cell) => cell !== '').length;
}

/**
 * Returns the head of a table whose first record has a cell less than all others: the names of rows have no name, as R writes them, or each row
 * ends with a delimiter. Undefined where the first record rather stands above the table, as where the second may be a head: its cells may be years,
 * but one that lacks a number is a row.
 * @param {string[][]} records @param {number} width @returns {string[] | undefined}
 */
function shortHead([written, ...others], width) {
  if (written === undefined || written.length < 2 || written.length !== width - 1) return undefined;
  const rows = withoutRepeated(written, others.slice(0, SAMPLE));
  if (rows.length === 0 || rows.some((row) => row.length !== width)) return undefined;
  const isEnded = rows.every((row) => row.at(-1) === '');
  const head = isEnded ? [...written, ''] : ['', ...written];
  const lacksNumber = rows[0].includes('') && differsInKind(head, rows);
  return isHead([head, ...rows]) && (isEnded || lacksNumber || !isHead(rows)) ? head : undefined;
}

/**
 * Returns whether what stands above a table is its title: one cell above a head that says neither a sentence nor a value. Above rows without a head it may
 * be one of them.
 * @param {ReturnType<typeof tableOf>} table
 */
function isTitled({ above, head }) {
  if (head === undefined) return false;
  const [cell = '', ...others] = above.flat().filter(Boolean);
  if (above.length !== 1 || others.length > 0 || cell.length > LONGEST_LABEL) return false;
  return /\p{L}{2}/u.test(cell) && !SENTENCE.test(cell) && !/:\s/u.test(cell);
}

/** @param {ReturnType<typeof tableOf>} table @returns {Generator<Part>} */
export function* partsOf({ above, ...table }) {
  const lines = above.map((record) => record.filter(Boolean).join(' '));
  const title = isTitled({ above, ...table }) ? lines[0] : undefined;
  if (title !== undefined) yield { kind: 'heading', level: 2, text: title };
  else if (lines.length > 0) yield { kind: 'prose', text: lines.join('\n') };
  const { head, rows } = withUnits(table);
  for (const part of rowParts({ head, ...(head === undefined ? { rows } : withoutTitles(rows)) }))
    yield title !== undefined && part.kind === 'heading' ? { ...part, level: part.level + 1 } : part;
}

/** Returns how many cells most records have, the larger number of two that are as frequent. @param {string[][]} records */
export function widthOf(records) {
  const counts = new Map();
  for (const { length } of records) counts.set(length, (counts.get(length) ?? 0) + 1);
  return [...counts].reduce(
    (best, entry) => (entry[1] > best[1] || (entry[1] === best[1] && entry[0] > best[0]) ? entry : best),
    [0, 0],
  )[0];
}
