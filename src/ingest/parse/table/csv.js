import { parse } from 'csv-parse/sync';
import { arePair, isSecretKey } from '../../../core/wording/secrets.js';
import { withUnits } from './head-units.js';
import { rowParts } from './rows.js';
import { withoutTitles } from './sections.js';

/** @typedef {import('../parts.js').Part} Part */

const DELIMITERS = [',', ';', '\t', '|'];
/** Records from which the delimiter and the width of a table are told. */
const SAMPLE = 200;
/** Characters that hold them. */
const SAMPLED = 1 << 16;
/** Records above the head of a table, such as the lines that a bank puts before its list. */
const MOST_ABOVE = 20;
/** A longer cell names no column. In characters. */
const LONGEST_LABEL = 80;
/** What ends like a sentence, and is no abbreviation of a few letters. */
const SENTENCE = /[.!?…。！？]["'”’»)]?$/u;
const SHORTEST_SENTENCE = 12;
/** A word, with no digit before it. */
const WORD = /^\P{N}*\p{L}/u;
/** A year, as a column may be called after it: "2019", "2019 Q1", "2019-01". */
const YEAR = /^(?:1[5-9]|2[01])\d\d(?!\d)/u;
/** How a variable of an environment or a key of settings of several words is written. */
const VARIABLE = /^[A-Za-z][A-Za-z\d]*(?:[_.-][A-Za-z\d]+)+$/u;

/**
 * Returns the parts of a table as CSV: each row by the names of its columns, below its own name where it has one. The delimiter is told from
 * the text; what stands above the head is prose, and a table without a head has rows of values alone.
 * @param {string} text
 * @returns {{ parts: Iterable<Part> }}
 */
export function csvParts(text) {
  const { delimiter, body } = dialectOf(text);
  return { parts: partsOf(tableOf(recordsOf(body, { delimiter }))) };
}

/**
 * Divides records into those above a table, its head and its rows; a head that stands again among the rows, as in files that were joined, is none
 * of them.
 * @param {string[][]} records
 */
function tableOf(records) {
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

/** @param {string[]} head @param {string[][]} rows */
function withoutRepeated(head, rows) {
  return rows.filter((row) => !isSame(row, head));
}

/** @param {string[]} row @param {string[]} head */
function isSame(row, head) {
  return row.length === head.length && row.every((cell, column) => cell === head[column]);
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
function* partsOf({ above, ...table }) {
  const lines = above.map((record) => record.filter(Boolean).join(' '));
  const title = isTitled({ above, ...table }) ? lines[0] : undefined;
  if (title !== undefined) yield { kind: 'heading', level: 2, text: title };
  else if (lines.length > 0) yield { kind: 'prose', text: lines.join('\n') };
  const { head, rows } = withUnits(table);
  for (const part of rowParts({ head, ...(head === undefined ? { rows } : withoutTitles(rows)) }))
    yield title !== undefined && part.kind === 'heading' ? { ...part, level: part.level + 1 } : part;
}

/**
 * Returns the records of a text; of a sample those that are whole.
 * @param {string} text @param {{ delimiter: string, isSample?: boolean }} options @returns {string[][]}
 */
function recordsOf(text, { delimiter, isSample = false }) {
  /** @type {string[][]} */
  const records = [];
  const options = {
    delimiter,
    to: isSample ? SAMPLE : -1,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
    ltrim: true,
    on_record: (record) => {
      records.push(record.map((cell) => cell.trim()));
      return null;
    },
  };
  try {
    parse(text, options);
  } catch (error) {
    if (error?.code !== 'CSV_QUOTE_NOT_CLOSED') throw error;
    if (isSample) return records;
    // A quotation mark that nothing closes is a sign like any other.
    records.length = 0;
    parse(text, { ...options, quote: null });
  }
  return records;
}

/**
 * Returns what divides the cells of a text, and the text without the line that says so to a spreadsheet. What gives the text a head in its first
 * line comes before what divides most of its records alike: addresses may have commas in every row.
 * @param {string} text
 */
function dialectOf(text) {
  const said = /^sep=(.)\r?\n/iu.exec(text);
  if (said !== null) return { delimiter: said[1], body: text.slice(said[0].length) };
  const sample = text.slice(0, SAMPLED);
  const ranked = DELIMITERS.map((delimiter) => {
    const records = recordsOf(sample, { delimiter, isSample: true });
    const width = widthOf(records);
    const share = records.filter((record) => record.length === width).length / Math.max(1, records.length);
    const { above, head } = tableOf(records);
    const headed = head !== undefined && above.length === 0 ? 1 : 0;
    return { delimiter, score: width < 2 ? 0 : headed + share * (1 - 1 / width) };
  });
  const { delimiter } = ranked.reduce((best, other) => (other.score > best.score ? other : best));
  return { delimiter, body: text };
}

/** Returns how many cells most records have, the larger number of two that are as frequent. @param {string[][]} records */
function widthOf(records) {
  const counts = new Map();
  for (const { length } of records) counts.set(length, (counts.get(length) ?? 0) + 1);
  return [...counts].reduce(
    (best, entry) => (entry[1] > best[1] || (entry[1] === best[1] && entry[0] > best[0]) ? entry : best),
    [0, 0],
  )[0];
}

/**
 * Returns whether the first record names the columns, by a word one of them at least. A sentence above sentences names none, unless another cell
 * shows that the record is no row: a survey has its questions there.
 * @param {string[][]} table
 */
function isHead([head, ...rows]) {
  if (head === undefined || rows.length === 0) return false;
  const labels = head.filter((cell) => cell !== '');
  if (labels.length * 2 < head.length) return false;
  if (!labels.some((label) => WORD.test(label)) && !hasYearsAlone(head, rows)) return false;
  const sample = rows.slice(0, SAMPLE);
  const differs = differsInKind(head, sample);
  const isRepeated = differs || standsAgain(head, sample);
  const columns = valuesOf(head, isRepeated ? withoutRepeated(head, sample) : sample);
  return head.every((cell, column) => {
    const values = columns[column] ?? [];
    return cell === '' || (isLabel(cell, values) && (differs || !isSentenceOfMany(cell, values)));
  });
}

/**
 * Returns whether a record has a word above values that are none, such as numbers or dates: then it is no row, wherever it stands again.
 * @param {string[]} head @param {string[][]} rows
 */
function differsInKind(head, rows) {
  return valuesOf(head, withoutRepeated(head, rows.slice(0, SAMPLE))).some(
    (values, column) => WORD.test(head[column] ?? '') && values.length > 0 && !values.some((value) => WORD.test(value)),
  );
}

/** Other rows from which a first record of words that stands again among them is a head, as long as none of them stands there twice. */
const FEWEST_OTHERS = 4;

/**
 * Returns whether the first record of at least two columns of words stands again among its rows as a head does in files that were joined: more than
 * once, or in small letters unlike the rows, and no row does. It is called when nothing else tells the two apart: a row is not to be lost.
 * @param {string[]} head @param {string[][]} rows
 */
function standsAgain(head, rows) {
  const others = withoutRepeated(head, rows);
  if (others.length === rows.length || others.length < FEWEST_OTHERS || head.length < 2) return false;
  const sample = others.slice(0, SAMPLE);
  if (rows.length - others.length < 2 && !(isSmall(head) && !sample.some(isSmall))) return false;
  return new Set(sample.map((row) => JSON.stringify(row))).size === sample.length;
}

/** @param {string[]} row */
function isSmall(row) {
  return row.every((cell) => cell === cell.toLowerCase());
}

/** Returns whether years name all columns but the first, whose words name the rows, as R writes them. @param {string[]} head @param {string[][]} rows */
function hasYearsAlone([corner, ...years], rows) {
  const areYears = years.length > 1 && years.every((year) => YEAR.test(year)) && new Set(years).size === years.length;
  return corner === '' && areYears && rows.slice(0, SAMPLE).every(([name = '']) => WORD.test(name));
}

/** Returns the values of each column that are not empty. @param {string[]} head @param {string[][]} rows */
function valuesOf(head, rows) {
  /** @type {string[][]} */
  const values = head.map(() => []);
  for (const row of rows) for (const [column, cell] of row.entries()) if (cell !== '') values[column]?.push(cell);
  return values;
}

/**
 * Returns whether a cell names the values below it: it is none of them, and a short word, a sign, or, unlike them, a year or a count ("1st try").
 * @param {string} cell @param {string[]} values
 */
function isLabel(cell, values) {
  if (cell.length > LONGEST_LABEL || /[@\n]|:\/\//u.test(cell) || values.includes(cell)) return false;
  if (WORD.test(cell) || !/\p{N}/u.test(cell)) return true;
  const kind = YEAR.test(cell) ? YEAR : /\p{L}/u;
  return kind.test(cell) && (values.length === 0 || !values.every((value) => kind.test(value)));
}

/** Returns whether a cell is a sentence above sentences alone. @param {string} cell @param {string[]} values */
function isSentenceOfMany(cell, values) {
  const isSentence = cell.length >= SHORTEST_SENTENCE && SENTENCE.test(cell);
  return isSentence && values.length > 0 && values.every((value) => SENTENCE.test(value));
}
