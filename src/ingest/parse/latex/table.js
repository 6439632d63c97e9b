/** A table whose rows are read. */
export class OpenTable {
  /** Cells of the open row. @type {string[]} */
  cells = [];
  /** Columns, and rows, that the open cell covers besides its own. */
  columns = 0;
  rows = 0;
  /** What cells of rows above say in a column, and in how many rows yet. @type {Map<number, { left: number, text: string }>} */
  repeats = new Map();

  /** @param {number} captures Arguments that are open about it. */
  constructor(captures) {
    this.captures = captures;
  }

  /** Ends a cell: one that is merged over several rows stands in each of them. @param {string} written */
  endCell(written) {
    const { repeats, cells } = this;
    let text = written.replace(/\s+/gu, ' ').trim();
    const above = repeats.get(cells.length);
    if (this.rows > 0) repeats.set(cells.length, { left: this.rows, text });
    else if (text === '' && above !== undefined && above.left > 0) {
      text = above.text;
      above.left -= 1;
    }
    cells.push(text, ...Array.from({ length: this.columns }, () => ''));
    this.columns = 0;
    this.rows = 0;
  }

  /** Ends a row and returns it; empty where its cells are. */
  endRow() {
    const cells = this.cells.splice(0);
    return cells.some((cell) => cell !== '') ? `| ${cells.join(' | ')} |` : '';
  }
}
