/** Rows from which it is told whether cells of the first column were merged, and groups of them. */
const FEWEST_ROWS = 4;
const FEWEST_GROUPS = 2;
/** Share of the rows that have no cell of their own there. */
const WITHOUT = 0.3;
/** A longer cell heads no group. In characters. */
const LONGEST_LABEL = 80;
/** A number, or a time of a day, at the beginning of a cell. */
const NUMBER = /^(\d{1,6})(?:[:.](\d\d)(?!\d))?/u;

/**
 * Returns the rows of a table with what stands in the first cells of a group in each of its rows: a spreadsheet keeps a cell that was merged over several rows in
 * the first of them alone, as the day above the hours of a timetable. Where the next column does not count the rows of each group anew, an empty cell is one
 * that nobody filled, and stays.
 * @param {string[][]} rows @returns {string[][]}
 */
export function withMergedCells(rows) {
  const groups = groupsOf(rows);
  if (groups === undefined || !groups.some(({ length }) => length > 1)) return rows;
  if (!countsAnew(groups)) return rows;
  return groups.flatMap(([first = [], ...others]) => [
    first,
    ...others.map((row) => (isWhole(row, first) ? [first[0] ?? '', ...row.slice(1)] : row)),
  ]);
}

/** Divides rows where the first column has a value; undefined where these head no groups. @param {string[][]} rows @returns {string[][][] | undefined} */
function groupsOf(rows) {
  if (rows.length < FEWEST_ROWS || !rows[0]?.[0]) return undefined;
  /** @type {string[][][]} */
  const groups = [];
  for (const row of rows) {
    if (row[0]) groups.push([row]);
    else groups.at(-1)?.push(row);
  }
  const labels = groups.map(([first]) => first?.[0] ?? '');
  const head = groups.length >= FEWEST_GROUPS && new Set(labels).size === labels.length;
  const share = (rows.length - groups.length) / rows.length;
  return head && share >= WITHOUT && labels.every(({ length }) => length <= LONGEST_LABEL) ? groups : undefined;
}

/**
 * Returns whether the second column counts or names the rows of each group anew: its cells rise within each group and fall from most groups to the next,
 * or no group has one of them twice, and most stand in several groups.
 * @param {string[][][]} groups
 */
function countsAnew(groups) {
  const columns = groups.map(([first = [], ...others]) =>
    [first, ...others.filter((row) => isWhole(row, first))].map((row) => row[1] ?? ''),
  );
  if (columns.flat().includes('')) return false;
  return risesInEach(columns) || isSharedBy(columns);
}

/** @param {string[][]} columns */
function risesInEach(columns) {
  const numbers = columns.map((cells) => cells.map(numberOf));
  const rises = numbers.every((cells) => cells.every((value, i) => value >= (cells[i - 1] ?? 0)));
  const starts = numbers.slice(1).filter((cells, i) => (cells[0] ?? 0) < (numbers[i]?.at(-1) ?? 0)).length;
  return rises && starts > 0 && starts * 2 >= numbers.length - 1;
}

/** NaN is no number, and rises above none. @param {string} cell */
function numberOf(cell) {
  const [, whole, part = '0'] = NUMBER.exec(cell) ?? [];
  return whole === undefined ? Number.NaN : Number(whole) * 100 + Number(part);
}

/** @param {string[][]} columns */
function isSharedBy(columns) {
  const inGroups = new Map();
  for (const cells of columns) {
    if (new Set(cells).size < cells.length) return false;
    for (const cell of cells) inGroups.set(cell, (inGroups.get(cell) ?? 0) + 1);
  }
  const cells = columns.flat();
  return columns.length > FEWEST_GROUPS && cells.filter((cell) => inGroups.get(cell) > 1).length * 2 > cells.length;
}

/** Returns whether a row has at least half as many cells as the first of its group: a line of an address or a sum has fewer. @param {string[]} row @param {string[]} first */
function isWhole(row, first) {
  return filledOf(row) * 2 >= filledOf(first);
}

/** @param {string[]} row */
function filledOf(row) {
  return row.filter((cell) => cell !== '').length;
}
