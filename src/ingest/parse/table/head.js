/** Records from which the head and the width of a table are told. */
export const SAMPLE = 200;
/** A longer cell names no column. In characters. */
export const LONGEST_LABEL = 80;
/** What ends like a sentence. */
export const SENTENCE = /[.!?…。！？]["'”’»)]?$/u;
/** A shorter one is an abbreviation: "Offer no." */
export const SHORTEST_SENTENCE = 12;
/** A word, with no digit before it. */
export const WORD = /^\P{N}*\p{L}/u;
/** A year, as a column may be called after it: "2019", "2019 Q1", "2019-01". */
const YEAR = /^(?:1[5-9]|2[01])\d\d(?!\d)/u;
/** A time, as the columns of a timetable are called: "9:00", "09.00–10.30". */
const TIME = /^\d{1,2}[:.]\d\d(?!\d)/u;

/**
 * Returns whether the first record names the columns, by a word one of them at least. A sentence above sentences names none, unless another cell
 * shows that the record is no row: a survey has its questions there.
 * @param {string[][]} table
 */
export function isHead([head, ...rows]) {
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
export function differsInKind(head, rows) {
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
export function standsAgain(head, rows) {
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
 * Returns whether a cell names the values below it: it is none of them, and a short word, a sign, or, unlike them, a year, a time or a count ("1st try").
 * @param {string} cell @param {string[]} values
 */
function isLabel(cell, values) {
  if (cell.length > LONGEST_LABEL || /[@\n]|:\/\//u.test(cell) || values.includes(cell)) return false;
  if (WORD.test(cell) || !/\p{N}/u.test(cell)) return true;
  const kind = [YEAR, TIME].find((one) => one.test(cell)) ?? /\p{L}/u;
  return kind.test(cell) && (values.length === 0 || !values.every((value) => kind.test(value)));
}

/** Returns whether a cell is a sentence above sentences alone. @param {string} cell @param {string[]} values */
function isSentenceOfMany(cell, values) {
  const isSentence = cell.length >= SHORTEST_SENTENCE && SENTENCE.test(cell);
  return isSentence && values.length > 0 && values.every((value) => SENTENCE.test(value));
}

/** @param {string[]} head @param {string[][]} rows */
export function withoutRepeated(head, rows) {
  return rows.filter((row) => !isSame(row, head));
}

/** @param {string[]} row @param {string[]} head */
function isSame(row, head) {
  return row.length === head.length && row.every((cell, column) => cell === head[column]);
}
