import { arePair, isSecretKey } from '../../../core/wording/secrets.js';
import { LONGEST_LABEL, SENTENCE, WORD } from '../table/head.js';
import { rowParts } from '../table/rows.js';
import { partsOf, tableOf } from '../table/table.js';
import { gridOf } from './grid.js';
import { tablesOf } from './layout.js';

/** @typedef {import('../parts.js').Part} Part */
/** @typedef {import('./grid.js').Grid} Grid */

/** Longer lines are paragraphs. In characters. */
const LONGEST_LINE = 160;
/** Kinds of values from which two columns are a form, and the most lines that one has. */
const FORM_KINDS = 3;
const LONGEST_FORM = 60;

/** Yields the parts of a sheet: its tables, forms and lines. @param {import('./spreadsheet.js').Sheet} sheet @returns {Generator<Part>} */
export function* sheetParts(sheet) {
  const tables = [...tablesOf(gridOf(sheet))];
  for (const [i, grid] of tables.entries()) {
    if (!areLines(grid)) yield* isForm(grid.rows) ? formParts(grid.rows) : tableParts(grid);
    else {
      const [first = '', ...others] = linesOf(grid);
      const next = tables[i + 1];
      const titles = others.length === 0 && next !== undefined && areLines(next) && next.rows.length > 1;
      if (titles && isTitle(first)) yield { kind: 'heading', level: 2, text: first };
      else for (const line of [first, ...others]) yield lineOf(line, others.length > 0);
    }
  }
}

/** @param {Grid} grid */
function areLines({ rows }) {
  return rows.every((row) => row.filter(Boolean).length <= 1);
}

/** @param {Grid} grid */
function linesOf({ rows, notes }) {
  return rows.map((row) => {
    const note = notes.get(row)?.filter(Boolean).join('; ');
    return note ? `${row.join('')} (${note})` : row.join('');
  });
}

/** @param {string} line @param {boolean} isItem @returns {Part} */
function lineOf(line, isItem) {
  const isShort = line.length <= LONGEST_LINE && !line.includes('\n');
  return isItem && isShort ? { kind: 'list', text: `- ${line}` } : { kind: 'prose', text: line };
}

/** @param {string} line */
function isTitle(line) {
  return line.length <= LONGEST_LABEL && WORD.test(line) && !SENTENCE.test(line);
}

/**
 * Returns whether two columns are names and their values, a line each, and no table: most names end in a colon, or the values are of several kinds.
 * @param {string[][]} rows
 */
function isForm(rows) {
  if (rows.length < 2 || rows.length > LONGEST_FORM || rows.some((row) => row.length !== 2) || arePair(rows[0] ?? []))
    return false;
  const names = rows.map(([name = '']) => name);
  if (!names.every(isTitle) || new Set(names).size < names.length) return false;
  const kinds = new Set(rows.flatMap(([, value]) => (value ? kindOf(value) : [])));
  return kinds.size >= FORM_KINDS || names.filter((name) => name.endsWith(':')).length * 2 > names.length;
}

/** @param {string} value */
function kindOf(value) {
  if (/@|:\/\//u.test(value)) return 'address';
  if (/^\d{4}-\d\d/u.test(value)) return 'date';
  return WORD.test(value) ? 'words' : 'number';
}

/** @param {string[][]} rows @returns {Generator<Part>} */
function* formParts(rows) {
  const head = rows.map(([name = '']) => name.replace(/\s*:$/u, ''));
  // As the one row of a table, whose name is a value like the others.
  for (const { text } of rowParts({ head, rows: [rows.map(([, value = '']) => value)] }))
    yield { kind: 'prose', text: text.replace(/^- /u, '') };
}

/** Yields the rows of a table, with the comments of their cells. @param {Grid} grid @returns {Generator<Part>} */
function* tableParts({ rows: records, notes }) {
  const table = tableOf(records);
  if (notes.size === 0) yield* partsOf(table);
  else {
    const { head, rows } = table;
    /** @param {string[]} row */
    const noted = (row) => {
      const all = (notes.get(row) ?? []).filter((note, column) => note && !isSecretKey(head?.[column] ?? ''));
      return all.length === 0 ? row : [...row, `Comment: ${all.join('; ')}`];
    };
    yield* partsOf({ ...table, head: head && [...head, ''], rows: rows.map(noted) });
  }
}
