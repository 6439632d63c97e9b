import { LIMITS, LimitExceeded } from '../limits.js';
import { WORD } from '../table/head.js';

/** @typedef {import('./spreadsheet.js').Sheet} Sheet */
/** @typedef {import('./spreadsheet.js').Merge} Merge */

/** A longer merged cell stands in its first row only, and so does one beyond these rows and columns. In characters. */
const LONGEST_MERGED = 200;
const MOST_ROWS = 1000;
const MOST_COLUMNS = 50;
/** Cells that merged ones may fill. */
const MOST_FILLED = 1_000_000;

/**
 * The cells of a sheet, as rows of one width: an empty row stands for all that divide others, and an empty column so. Comments are found by the row.
 * @typedef {{ rows: string[][], notes: Map<string[], string[]> }} Grid
 */

/**
 * Returns a sheet as a grid. A merged cell stands in each row that it covers; where it follows another one in its row, in each column with cells above, too.
 * Groups of columns stand in the names of these: "2025" above "Q1" and "Q2" is "2025 Q1" and "2025 Q2". Throws `LimitExceeded`.
 * @param {Sheet} sheet @returns {Grid}
 */
export function gridOf(sheet) {
  spread(sheet);
  const numbers = numbersOf(sheet.rows);
  /** @type {Set<number>} */
  const used = new Set();
  for (const cells of sheet.rows.values()) for (const column of columnsOf(cells)) used.add(column);
  const { places, width } = placesOf([...used].sort((a, b) => a - b));
  if (numbers.length * width > LIMITS.cells) {
    throw new LimitExceeded('cells', `would be a table of more than ${LIMITS.cells} cells; split its sheets`);
  }
  /** @param {string[] | undefined} cells */
  const row = (cells) => {
    /** @type {string[]} */
    const made = new Array(width).fill('');
    for (const column of columnsOf(cells ?? [])) {
      const place = places.get(column);
      if (place !== undefined) made[place] = cells?.[column] ?? '';
    }
    return made;
  };
  /** @type {Grid} */
  const grid = { rows: [], notes: new Map() };
  for (const [i, number] of numbers.entries()) {
    if (i > 0 && number > (numbers[i - 1] ?? 0) + 1) grid.rows.push(row(undefined));
    const made = row(sheet.rows.get(number));
    if (made.every((cell) => cell === '')) continue;
    grid.rows.push(made);
    if (sheet.notes.has(number)) grid.notes.set(made, row(sheet.notes.get(number)));
  }
  return grid;
}

/** @param {string[]} cells */
function columnsOf(cells) {
  return Object.keys(cells).map(Number);
}

/** Returns where each column stands; one empty column stands for all that divide others. @param {number[]} columns */
function placesOf(columns) {
  const places = new Map();
  let width = 0;
  for (const [i, column] of columns.entries()) {
    if (i > 0 && column > (columns[i - 1] ?? 0) + 1) width += 1;
    places.set(column, width);
    width += 1;
  }
  return { places, width };
}

/** @param {Map<number, unknown>} rows */
function numbersOf(rows) {
  return [...rows.keys()].sort((a, b) => a - b);
}

/** Fills what merged cells cover. @param {Sheet} sheet */
function spread({ rows, merges }) {
  if (merges.length === 0) return;
  const groups = fillRows(rows, merges);
  const numbers = numbersOf(rows);
  /** Columns that have cells of their own. @type {Set<number>} */
  const own = new Set();
  for (const [i, number] of numbers.entries()) {
    const cells = rows.get(number) ?? [];
    const merged = groups.get(number) ?? [];
    const isFirst = i === 0 || numbers[i - 1] !== number - 1 || columnsOf(rows.get(number - 1) ?? []).length === 1;
    if (isFirst && merged.length > 0 && joinGroups(merged, cells, rows.get(number + 1))) rows.delete(number);
    else {
      const [leading] = columnsOf(cells);
      for (const { left, right } of merged)
        for (let column = left + 1; column <= right && left !== leading; column += 1)
          if (own.has(column)) cells[column] ??= cells[left] ?? '';
      for (const column of columnsOf(cells)) own.add(column);
    }
  }
}

/** Fills the rows that merged cells cover; returns those that cover columns of a row alone, by the number of the row. @param {Map<number, string[]>} rows @param {Merge[]} merges */
function fillRows(rows, merges) {
  /** @type {Map<number, Merge[]>} */
  const groups = new Map();
  let left = MOST_FILLED;
  for (const merge of merges) {
    const text = rows.get(merge.top)?.[merge.left];
    if (text === undefined) continue;
    if (merge.top === merge.bottom && merge.right > merge.left && merge.right - merge.left <= MOST_COLUMNS) {
      const others = groups.get(merge.top);
      if (others === undefined) groups.set(merge.top, [merge]);
      else others.push(merge);
    }
    const last = text.length > LONGEST_MERGED ? merge.top : Math.min(merge.bottom, merge.top + MOST_ROWS);
    for (let row = merge.top + 1; row <= last && left > 0; row += 1) {
      left -= 1;
      const cells = rows.get(row);
      if (cells !== undefined) cells[merge.left] ??= text;
    }
  }
  return groups;
}

/**
 * Puts groups of columns before the names of these, which stand in the row below. Returns whether that is what the two rows are.
 * @param {Merge[]} groups @param {string[]} cells @param {string[] | undefined} below
 */
function joinGroups(groups, cells, below) {
  if (below === undefined || columnsOf(cells).length < 2) return false;
  const covered = groups.map(({ left, right }) => Array.from({ length: right - left + 1 }, (_, i) => left + i));
  if (!covered.flat().every((column) => WORD.test(below[column] ?? ''))) return false;
  for (const [i, columns] of covered.entries())
    for (const column of columns) below[column] = `${cells[groups[i]?.left ?? 0]} ${below[column]}`;
  const inGroups = new Set(covered.flat());
  for (const column of columnsOf(cells)) {
    const [above, own] = [cells[column] ?? '', below[column] ?? ''];
    if (!inGroups.has(column) && above !== own) below[column] = `${above} ${own}`.trim();
  }
  return true;
}
