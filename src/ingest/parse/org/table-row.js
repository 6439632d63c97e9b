const RULE = /^\|-[-+|]*$/u;
const WIDTH = /^<[lrc]?\d{0,3}>$/u;
const COLUMN_GROUP = /^[<>]{0,2}$/u;

/** Returns the row of a table, "| Attic | 18 |"; empty for a rule, and for a row without words: empty cells, widths (`<10>`) or groups of columns (`/`). @param {string} line */
export function tableRow(line) {
  const written = line.trim();
  if (RULE.test(written)) return '';
  const cells = written
    .replace(/^\||\|$/gu, '')
    .split('|')
    .map((cell) => cell.trim());
  const [first, ...others] = cells;
  if (cells.every((cell) => cell === '' || WIDTH.test(cell))) return '';
  if (first === '/' && others.every((cell) => COLUMN_GROUP.test(cell))) return '';
  return `| ${cells.join(' | ')} |`;
}
