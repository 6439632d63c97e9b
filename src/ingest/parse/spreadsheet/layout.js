import { differsInKind, LONGEST_LABEL, WORD } from '../table/head.js';
import { tableOf } from '../table/table.js';

/** @typedef {import('./grid.js').Grid} Grid */

/** A table beside another one has at most so much of its rows, if nothing else tells the two apart. */
const SHORTER = 0.5;
/** Rows of a table by which another one below it is told, and those that may change what it is told by. */
const SAMPLE = 200;
const TOLD_BY = 20;
/** Sums right below a table at most. */
const MOST_SUMS = 5;

/**
 * Yields the tables of a grid: those side by side that an empty column divides, and those below each other that an empty row divides, where each has a head of
 * its own; lines before a table belong to it. Rows without a head of their own, behind an empty row, are rows of the table above. No table has an empty row or column.
 * @param {Grid} grid @returns {Generator<Grid>}
 */
export function* tablesOf(grid) {
  for (const piece of piecesOf(grid))
    for (const table of stackedTables(piece)) for (const part of piecesOf(table)) yield dense(part);
}

/** Returns the tables that stand side by side, or the grid as it is. @param {Grid} grid @returns {Grid[]} */
function piecesOf(grid) {
  const ranges = rangesOf(widthOf(grid), (column) => grid.rows.some((row) => row[column] !== ''));
  if (ranges.length < 2) return [grid];
  const pieces = ranges.map(([from, to]) => columnsOf(grid, from, to));
  const outlines = pieces.map(outlineOf);
  const areApart = outlines.every((one, i) => i === 0 || standApart(outlines[i - 1], one));
  return areApart ? pieces : [grid];
}

/** @param {Grid} grid */
function widthOf({ rows }) {
  return rows[0]?.length ?? 0;
}

/** Yields the runs of numbers below a length for which a test holds, each with its end. @param {number} length @param {(i: number) => boolean} test */
function rangesOf(length, test) {
  /** @type {Array<[number, number]>} */
  const ranges = [];
  let from = -1;
  for (let i = 0; i <= length; i += 1) {
    const holds = i < length && test(i);
    if (holds && from < 0) from = i;
    if (holds || from < 0) continue;
    ranges.push([from, i]);
    from = -1;
  }
  return ranges;
}

/** @param {Grid} grid @param {number} from @param {number} to @returns {Grid} */
function columnsOf({ rows, notes }, from, to) {
  /** @type {Grid} */
  const cut = { rows: [], notes: new Map() };
  for (const row of rows) {
    const made = row.slice(from, to);
    cut.rows.push(made);
    const note = notes.get(row)?.slice(from, to);
    if (note?.some(Boolean)) cut.notes.set(made, note);
  }
  return cut;
}

/**
 * What is told of a table by its first rows that are not lines: the names of its columns, its place, whether a title stands above it, and whether its first column
 * tells its rows apart.
 * @typedef {{ labels: string[], start: number, length: number, isTitled: boolean, isKeyed: boolean }} Outline
 */

/** Returns the outline of a table that has a head and several columns. @param {Grid} piece @returns {Outline | undefined} */
function outlineOf({ rows }) {
  if ((rows[0]?.length ?? 0) < 2) return undefined;
  const band = bandsOf(rows).find(([from, to]) => !rows.slice(from, to).every(isLine));
  if (band === undefined) return undefined;
  const records = rows.slice(...band);
  const { above, head, rows: body } = tableOf(records);
  if (head === undefined) return undefined;
  const keys = body.map(([key = '']) => key);
  const saysWords = head.some((_, column) => body.some((row) => WORD.test(row[column] ?? '')));
  return {
    labels: head.filter(Boolean),
    start: band[0] + above.length,
    length: body.length,
    isTitled: above.length > 0,
    isKeyed: saysWords && !keys.includes('') && new Set(keys).size === keys.length,
  };
}

/** @param {Outline | undefined} one @param {Outline | undefined} other */
function standApart(one, other) {
  if (one === undefined || other === undefined || !one.isKeyed || !other.isKeyed) return false;
  if (one.start !== other.start || (one.isTitled && other.isTitled)) return true;
  if (one.labels.some((label) => other.labels.includes(label))) return true;
  return Math.min(one.length, other.length) <= SHORTER * Math.max(one.length, other.length);
}

/** @param {string[][]} rows */
function bandsOf(rows) {
  return rangesOf(rows.length, (i) => rows[i]?.some(Boolean) ?? false);
}

/** Returns whether a row is a line of text. @param {string[]} row */
function isLine(row) {
  return row.filter(Boolean).length === 1;
}

/** @param {Grid} grid @returns {Generator<Grid>} */
function* stackedTables({ rows, notes }) {
  /** @type {string[][]} */
  let open = [];
  /** @type {Place | undefined} */
  let place;
  /** Lines that may belong to the table above or below them. @type {string[][][]} */
  let lines = [];
  /** Of each band of the open table, whether a title opens it. */
  let titled = [false];
  for (const band of bandsOf(rows).flatMap((range) => withoutSums(rows.slice(...range)))) {
    const records = withSumsAsLines(band, place);
    if (records.every(isLine)) {
      lines.push(records);
      continue;
    }
    const goesOn = place !== undefined && !isTableOfItsOwn(records, place, lines.length > 0);
    const isTitled = isLine(records[0] ?? []) || lines.length > 0;
    if (goesOn && place?.head !== undefined && !isTitled && titled.length > 1 && titled.every(Boolean)) {
      // Below the sections of a table stands what is of none of them, such as the result of a budget.
      yield { rows: open, notes };
      open = [place.head, ...records];
      titled = [false];
    } else if (goesOn) {
      titled.push(isTitled);
      for (const row of [...lines.flat(), ...records]) open.push(row);
      if (open.length <= TOLD_BY) place = placeOf(open);
    } else {
      if (open.length > 0) yield { rows: open, notes };
      const title = lines.pop() ?? [];
      for (const others of lines) yield { rows: others, notes };
      open = [...title, ...records];
      place = placeOf(records);
      titled = [place.isTitled];
    }
    lines = [];
  }
  if (open.length > 0) yield { rows: open, notes };
  for (const others of lines) yield { rows: others, notes };
}

/**
 * Returns rows behind an empty one as lines where each is a name and a value alone, and either is a word in a column that has none: "Days worked: 21" below dates,
 * "Prices until: May" below prices.
 * @param {string[][]} records @param {Place | undefined} above
 */
function withSumsAsLines(records, above) {
  const isSum = (/** @type {string[]} */ row) => {
    const isOther = (/** @type {string} */ cell, /** @type {number} */ column) =>
      above?.wordless[column] === true && (WORD.test(cell) || column === row.findIndex(Boolean));
    return isNameWithValue(row) && row.some(isOther);
  };
  if (!records.every(isSum)) return records;
  return records.map((row) => {
    const [name = '', value = ''] = row.filter(Boolean);
    const column = row.findIndex(Boolean);
    return row.map((_, i) => (i === column ? `${name.replace(/\s*:$/u, '')}: ${value}` : ''));
  });
}

/** @param {string[]} row */
function isNameWithValue(row) {
  const [name = '', value, ...others] = row.filter(Boolean);
  return value !== undefined && others.length === 0 && /\p{L}{2}/u.test(name) && name.length <= LONGEST_LABEL;
}

/** Returns rows divided from the sums right below them: a name in a column that has no words, and a number. @param {string[][]} records @returns {string[][][]} */
function withoutSums(records) {
  const last = records.findLastIndex((row) => !isNameWithValue(row) || WORD.test(row.findLast(Boolean) ?? ''));
  const sums = records.slice(last + 1);
  if (sums.length === 0 || sums.length > MOST_SUMS || last < 1) return [records];
  const table = records.slice(0, last + 1);
  const { head, wordless } = placeOf(table);
  const isApart = head !== undefined && sums.every((row) => wordless[row.findIndex(Boolean)] === true);
  return isApart ? [table, sums] : [records];
}

/**
 * Where a table begins and ends, how many rows tell so, which of its columns have no words, and whether a title stands above its first row.
 * @typedef {{ first: number, last: number, length: number, head: string[] | undefined, wordless: boolean[], isTitled: boolean }} Place
 */

/** @param {string[][]} records @returns {Place} */
function placeOf(records) {
  const { head, rows } = tableOf(records.slice(0, SAMPLE));
  const widest = head ?? rows[0] ?? [];
  const wordless = widest.map((_, column) => {
    const values = rows.flatMap((row) => row[column] || []);
    return values.length > 0 && !values.some((value) => WORD.test(value));
  });
  const [first, last] = [widest.findIndex(Boolean), widest.findLastIndex(Boolean)];
  return { first, last, length: records.length, head, wordless, isTitled: isLine(rows[0] ?? []) };
}

/** Returns whether rows behind an empty one have a head that is unlike the rows before. @param {string[][]} records @param {Place} above @param {boolean} isTitled */
function isTableOfItsOwn(records, above, isTitled) {
  const sample = records.slice(0, SAMPLE);
  const { head, rows } = tableOf(sample);
  const { first, last } = placeOf(sample);
  // One row may be the head of a table with an empty row behind each.
  if (above.head === undefined) return above.length > 1 || first !== above.first || last !== above.last;
  if (head === undefined) return false;
  if (first !== above.first || last !== above.last || rows.length < sample.length - 1) return true;
  if (isTitled || head.every((label, i) => label === above.head?.[i])) return true;
  return differsInKind(head, rows) || above.wordless.some((isWordless, i) => isWordless && WORD.test(head[i] ?? ''));
}

/** Returns a grid without empty columns. @param {Grid} grid @returns {Grid} */
function dense({ rows, notes }) {
  const filled = [...Array(rows[0]?.length ?? 0).keys()].filter((column) => rows.some((row) => row[column] !== ''));
  /** @type {Grid} */
  const made = { rows: [], notes: new Map() };
  for (const row of rows) {
    if (!row.some(Boolean)) continue;
    const cells = filled.length === row.length ? row : filled.map((column) => row[column] ?? '');
    made.rows.push(cells);
    const note = notes.get(row);
    if (note !== undefined)
      made.notes.set(
        cells,
        filled.map((column) => note[column] ?? ''),
      );
  }
  return made;
}
