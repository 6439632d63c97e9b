/** Puts a text into a cell; where there is none, there is no cell. @param {Map<number, string[]>} rows @param {number} row @param {number} column @param {string} text */
export function put(rows, row, column, text) {
  if (text === '' || !Number.isSafeInteger(row) || !Number.isSafeInteger(column)) return;
  const cells = rows.get(row) ?? [];
  cells[column] = text;
  rows.set(row, cells);
}
