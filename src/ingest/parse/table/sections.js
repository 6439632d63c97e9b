/** A longer cell titles no rows. In characters. */
const LONGEST = 80;
/** Titles in a table, and cells of each other row, at least. */
const FEWEST = 2;
const FEWEST_CELLS = 3;
const WORD = /\p{L}{2}/u;
const NUMBER = /\p{N}/u;

/**
 * Divides the rows of a table from the titles that stand among them, as price lists have them: "SURGERY" alone in a row above those of surgery. Returns the
 * rows with the titles by the number of the row below each. Nothing is taken for a title unless the table begins with one, each stands above a row, in the
 * same column, whose other cells are unlike them, and all other rows are rows of several cells, or of a number: a list of persons may lack all but the names of some.
 * @param {string[][]} rows @returns {{ rows: string[][], titles: Map<number, string> }}
 */
export function withoutTitles(rows) {
  const none = { rows, titles: new Map() };
  const column = titleColumn(rows[0] ?? []);
  if (column === undefined) return none;
  /** @type {Map<number, string>} */
  const titles = new Map();
  const kept = [];
  let open;
  for (const row of rows) {
    const found = titleColumn(row);
    if (found === undefined) {
      const isFull = row.filter((cell) => cell !== '').length >= FEWEST_CELLS;
      if (!isFull && (row.length < FEWEST_CELLS || !NUMBER.test(row[column] ?? ''))) return none;
      if (open !== undefined) titles.set(kept.length, open);
      open = undefined;
      kept.push(row);
    } else if (found !== column || open !== undefined) return none;
    else open = row[column];
  }
  const isTitled = open === undefined && titles.size >= FEWEST && new Set(titles.values()).size === titles.size;
  const areUnlike = areTitles(
    [...titles.values()],
    kept.map((row) => row[column] ?? ''),
  );
  return isTitled && areUnlike ? { rows: kept, titles } : none;
}

/** Returns whether titles are in capitals above others, words above none, or words alone above words with numbers ("January" above "Tue 12.01."). @param {string[]} titles @param {string[]} others */
function areTitles(titles, others) {
  if (!others.some((cell) => WORD.test(cell))) return true;
  if (!titles.some((cell) => NUMBER.test(cell)) && others.every((cell) => NUMBER.test(cell))) return true;
  return titles.every(isCapital) && !others.every(isCapital);
}

/** @param {string} cell */
function isCapital(cell) {
  return cell === cell.toUpperCase() && cell !== cell.toLowerCase();
}

/** Returns the column of the only cell of a row, where its words may be a title. @param {string[]} row @returns {number | undefined} */
function titleColumn(row) {
  const column = row.findIndex((cell) => cell !== '');
  const cell = row[column] ?? '';
  const isAlone = row.every((other, i) => i === column || other === '');
  return isAlone && cell.length <= LONGEST && WORD.test(cell) ? column : undefined;
}
