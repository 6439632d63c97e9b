/** A day with its year last: either number before it may be the month. A time may follow. */
const DAY = /^(\d{1,2})([/-])(\d{1,2})\2(\d{4})(?=$|[ T,])/u;
const MONTHS = 12;
const LONGEST_MONTH = 31;

/** Whether the day stands before the month. @typedef {'day' | 'month'} Order */

/**
 * Returns the rows of a table with its days in ISO 8601 where their order is known: a number over 12 in one cell of a column tells it for the column, and for other columns of days that have none, as
 * long as no two columns differ. Days of an unknown order stay as they are written, and so does a column in which both numbers are over 12 somewhere, or one is no month and no day.
 * @param {string[][]} rows @returns {string[][]}
 */
export function withIsoDays(rows) {
  const width = rows.reduce((most, { length }) => Math.max(most, length), 0);
  /** @type {Map<number, Order | 'unknown'>} */
  const columns = new Map();
  for (let column = 0; column < width; column += 1) {
    const places = placesOf(rows, column);
    const order = places === undefined ? undefined : orderOf(places);
    if (order !== undefined) columns.set(column, order);
  }
  const known = new Set([...columns.values()].filter((order) => order !== 'unknown'));
  const [only] = known.size === 1 ? known : [];
  const orders = [...columns].flatMap(([column, found]) => {
    const order = found === 'unknown' ? only : found;
    return order === undefined ? [] : [{ column, order }];
  });
  if (orders.length === 0) return rows;
  return rows.map((row) => {
    const cells = [...row];
    for (const { column, order } of orders) if (cells[column]) cells[column] = isoDay(cells[column], order);
    return cells;
  });
}

/** Returns the largest first and second numbers of a column of days; undefined for another column. @param {string[][]} rows @param {number} column */
function placesOf(rows, column) {
  let places;
  // Cells that know no day yet: "n/a", "to come".
  let unknown = 0;
  let days = 0;
  for (const row of rows) {
    const cell = row[column] ?? '';
    if (cell === '') continue;
    const [, first, , second] = DAY.exec(cell) ?? [];
    if (first !== undefined) {
      places = [Math.max(places?.[0] ?? 0, Number(first)), Math.max(places?.[1] ?? 0, Number(second))];
      days += 1;
    } else if (/\d/u.test(cell)) return undefined;
    else unknown += 1;
  }
  return unknown > days ? undefined : places;
}

/** Returns the order of a column by its largest numbers; undefined where it has none. @param {number[]} places @returns {Order | 'unknown' | undefined} */
function orderOf([first = 0, second = 0]) {
  if (Math.max(first, second) > LONGEST_MONTH || Math.min(first, second) > MONTHS) return undefined;
  if (first <= MONTHS && second <= MONTHS) return 'unknown';
  return first > MONTHS ? 'day' : 'month';
}

/** A day that no calendar has stays as it is written. @param {string} cell @param {Order} order */
function isoDay(cell, order) {
  return cell.replace(DAY, (written, first, _sign, second, year) => {
    const [day, month] = order === 'day' ? [first, second] : [second, first];
    const iso = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
    const date = new Date(`${iso}T00:00:00Z`);
    return Number.isNaN(date.getTime()) || date.getUTCDate() !== Number(day) ? written : iso;
  });
}
