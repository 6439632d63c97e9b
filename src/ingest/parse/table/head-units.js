/** How a row below a head gives the units of columns: "(kg)", "[mm/yyyy]". */
const UNIT = /^[([][^()[\]]{1,24}[)\]]$/u;
/** An amount below zero, as books write it: "(1,200)", "($300)". */
const AMOUNT = /^[([]\P{L}*\d\P{L}*[)\]]$/u;
/** Columns with a unit at least: in one column, a cell in brackets may be a value. */
const FEWEST = 2;

/**
 * Returns a table whose first row gives the units of its columns with these in its head: "weight (kg)".
 * @param {{ head: string[] | undefined, rows: string[][] }} table @returns {{ head: string[] | undefined, rows: string[][] }}
 */
export function withUnits({ head, rows }) {
  const [units = [], ...others] = rows;
  const given = units.filter((cell) => cell !== '');
  const isUnits = given.length >= FEWEST && given.every((cell) => UNIT.test(cell) && !AMOUNT.test(cell));
  const areValues = others.some((row) => row.some((cell, column) => units[column] && UNIT.test(cell)));
  if (head === undefined || !isUnits || others.length === 0 || areValues) return { head, rows };
  return { head: head.map((label, column) => `${label} ${units[column] ?? ''}`.trim()), rows: others };
}
