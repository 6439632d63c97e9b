import { arePair, isSecretKey } from '../../../core/wording/secrets.js';
import { LONGEST_LABEL, SENTENCE, SHORTEST_SENTENCE, WORD } from '../table/head.js';
import { rowParts } from '../table/rows.js';
import { partsOf, tableOf } from '../table/table.js';
import { gridOf } from './grid.js';
import { tablesOf } from './layout.js';

/** @typedef {import('../parts.js').Part} Part */
/** @typedef {import('./grid.js').Grid} Grid */

/** Longer lines are paragraphs. In characters. */
const LONGEST_LINE = 160;
/** Columns by which a line is indented at most. */
const DEEPEST = 8;
/** Kinds of values from which two columns are a form, and the most lines that one has. */
const FORM_KINDS = 3;
const LONGEST_FORM = 60;

/**
 * Yields the parts of a sheet: its tables, forms and lines. What has no heading comes first: behind a table, a remark on all of it would be said of its last row.
 * @param {import('./spreadsheet.js').Sheet} sheet @returns {Generator<Part>}
 */
export function* sheetParts(sheet) {
  const tables = [...tablesOf(gridOf(sheet))];
  /** What a heading stands above, by the heading. @type {Map<Part, Generator<Part>>} */
  const headed = new Map();
  for (const [i, grid] of tables.entries()) {
    if (i > 0 && titles(tables[i - 1], grid)) continue;
    const parts = gridParts(grid, tables[i + 1]);
    for (let next = parts.next(); next.done !== true; next = parts.next()) {
      if (next.value.kind === 'heading') {
        headed.set(next.value, parts);
        break;
      }
      yield next.value;
    }
  }
  for (const [heading, parts] of headed) {
    yield heading;
    yield* parts;
  }
}

/** @param {Grid} grid @param {Grid | undefined} next @returns {Generator<Part>} */
function* gridParts(grid, next) {
  const form = formOf(grid.rows);
  if (form !== undefined) yield* formParts(form);
  else if (!areLines(grid)) yield* tableParts(grid);
  else if (titles(grid, next)) {
    yield { kind: 'heading', level: 2, text: linesOf(grid).join('').trim() };
    yield* lineParts(/** @type {Grid} */ (next));
  } else yield* lineParts(grid);
}

/** Returns whether a grid is a line that stands above the lines of the next one as their title. @param {Grid | undefined} grid @param {Grid | undefined} next */
function titles(grid, next) {
  if (grid?.rows.length !== 1 || next === undefined || next.rows.length < 2) return false;
  return areLines(grid) && areLines(next) && formOf(next.rows) === undefined && isTitle(linesOf(grid).join(''));
}

/** @param {Grid} grid @returns {Generator<Part>} */
function* lineParts(grid) {
  const lines = linesOf(grid);
  for (const line of lines) yield lineOf(line, lines.length > 1);
}

/** @param {Grid} grid */
function areLines({ rows }) {
  return rows.every((row) => row.filter(Boolean).length <= 1);
}

/** Returns the lines, indented by their columns. @param {Grid} grid */
function linesOf({ rows, notes }) {
  return rows.map((row) => {
    const note = notes.get(row)?.filter(Boolean).join('; ');
    const indent = '  '.repeat(Math.min(DEEPEST, row.findIndex(Boolean)));
    return `${indent}${row.join('')}${note ? ` (${note})` : ''}`;
  });
}

/** @param {string} line @param {boolean} isItem @returns {Part} */
function lineOf(line, isItem) {
  const isShort = line.length <= LONGEST_LINE && !line.includes('\n');
  return isItem && isShort
    ? { kind: 'list', text: line.replace(/^ */u, '$&- ') }
    : { kind: 'prose', text: line.trim() };
}

/** @param {string} line */
function isTitle(line) {
  const isSentence = line.length >= SHORTEST_SENTENCE && SENTENCE.test(line);
  return line.length <= LONGEST_LABEL && WORD.test(line) && !isSentence;
}

/** The lines above a form, and its names with their values. @typedef {{ above: string[], fields: Array<[name: string, value: string]> }} Form */

/**
 * Returns two columns that are names and their values, a line each, as a form: most names end in a colon, or the values are of several kinds. Undefined for a table.
 * @param {string[][]} rows @returns {Form | undefined}
 */
function formOf(rows) {
  if (rows.some((row) => row.length !== 2)) return undefined;
  const above = rows.findIndex(([, value]) => value !== '');
  const fields = rows.slice(above).map(([name = '', value = '']) => /** @type {[string, string]} */ ([name, value]));
  if (above < 0 || fields.length < 2 || fields.length > LONGEST_FORM || arePair(fields[0] ?? [])) return undefined;
  const names = fields.map(([name]) => name);
  if (!names.every(isTitle) || new Set(names).size < names.length) return undefined;
  const kinds = new Set(fields.flatMap(([, value]) => (value ? kindOf(value) : [])));
  const isForm = kinds.size >= FORM_KINDS || names.filter((name) => name.endsWith(':')).length * 2 > names.length;
  return isForm ? { above: rows.slice(0, above).map((row) => row.join('')), fields } : undefined;
}

/** @param {string} value */
function kindOf(value) {
  if (/@|:\/\//u.test(value)) return 'address';
  if (/^\d{4}-\d\d/u.test(value)) return 'date';
  // "A-2026-31".
  if (/^\p{L}\S*\d\S*$/u.test(value)) return 'code';
  return WORD.test(value) ? 'words' : 'number';
}

/** @param {Form} form @returns {Generator<Part>} */
function* formParts({ above, fields }) {
  const [title = '', ...others] = above;
  if (above.length === 1 && isTitle(title)) yield { kind: 'heading', level: 2, text: title };
  else if (above.length > 0) yield { kind: 'prose', text: [title, ...others].join('\n') };
  const head = fields.map(([name]) => name.replace(/\s*:$/u, ''));
  // As the one row of a table, whose name is a value like the others.
  for (const { text } of rowParts({ head, rows: [fields.map(([, value]) => value)] }))
    yield { kind: 'prose', text: text.replace(/^- /u, '') };
}

/** Yields the rows of a table, with the comments of their cells. @param {Grid} grid @returns {Generator<Part>} */
function* tableParts({ rows: records, notes }) {
  const table = tableOf(records);
  const { head, rows } = table;
  /** @param {string[]} row */
  const notesOf = (row) =>
    (notes.get(row) ?? []).map((note, column) => (isSecretKey(head?.[column] ?? '') ? '' : note));
  if (notes.size === 0) return yield* partsOf(table);
  for (const [column, note] of notesOf(head ?? []).entries())
    if (note !== '') yield { kind: 'prose', text: `${head?.[column]}: ${note}` };
  const noted = rows.map((row) => {
    const all = notesOf(row).filter(Boolean);
    return all.length === 0 ? row : [...row, `Comment: ${all.join('; ')}`];
  });
  yield* partsOf({ ...table, head: head && [...head, ''], rows: noted });
}
