/** A day with its year last: either number before it may be the month. A time may follow. */
const DAY = /^(\d{1,2})([/-])(\d{1,2})\2(\d{4})(?=$|[ T,])/u;
const MONTHS = 12;
const LONGEST_MONTH = 31;

/** Whether the day stands before the month. @typedef {'day' | 'month'} Order */

/**
 * Returns the rows of a table with its days in ISO 8601 where their order is known: a number over 12 in one cell of a column tells it for the column, and for other columns of days that have none, as
 * long as no two columns differ. Days of an unknown order stay as they are written.
 * @param {string[][]} rows @returns {string[][]}
 */
export function withIsoDays(rows) {
  const width = rows.reduce((most, { length }) => Math.max(most, length), 0);
  /** @type {Map<number, Order | undefined>} */
  const columns = new Map();
  for (let column = 0; column < width; column += 1) {
    const places = placesOf(rows, column);
    if (places !== undefined) columns.set(column, orderOf(places));
  }
  const known = new Set([...columns.values()].filter(Boolean));
  const [only] = known.size === 1 ? known : [];
  const orders = [...columns].flatMap(([column, order = only]) => (order === undefined ? [] : [{ column, order }]));
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
  for (const row of rows) {
    const cell = row[column] ?? '';
    // A day that is not known yet: "n/a", "to come".
    if (cell === '' || (places !== undefined && !/\d/u.test(cell))) continue;
    const [, first, , second] = DAY.exec(cell) ?? [];
    if (first === undefined) return undefined;
    places = [Math.max(places?.[0] ?? 0, Number(first)), Math.max(places?.[1] ?? 0, Number(second))];
  }
  return places;
}

/** @param {number[]} places @returns {Order | undefined} */
function orderOf([first = 0, second = 0]) {
  if (first > MONTHS === second > MONTHS || Math.max(first, second) > LONGEST_MONTH) return undefined;
  return first > MONTHS ? 'day' : 'month';
}

/** @param {string} cell @param {Order} order */
function isoDay(cell, order) {
  return cell.replace(DAY, (_, first, _sign, second, year) => {
    const [day, month] = order === 'day' ? [first, second] : [second, first];
    return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  });
}
