import { withoutSigns } from '../notes/marks.js';

/** A longer cell stands in its first row only, and so do those beyond what a row may take from others. In characters. */
const LONGEST = 200;
const MOST_LENT = 400;
/** Cells behind so much of a row stand in their own row only. In characters. */
const LONGEST_ROW = 10_000;
/** Rows that a cell may cover. */
const MOST = 1000;
/** Columns in which cells may be merged: each is looked at in each row. */
const MOST_COLUMNS = 100;

/** What a cell says in the rows below its own; without a text it only takes up a column. @typedef {{ text: string | undefined, rowsLeft: number }} Merged */

/** The cells of a table that a page merged over several rows (`rowspan`): each stands in all of them, in its column. */
class Table {
  /** By columns, in the open row and in the next one. @type {Map<number, Merged>} */
  merged = new Map();
  /** @type {Map<number, Merged>} */
  next = new Map();
  column = 0;
  /** Characters that the open row has from merged cells. */
  lent = 0;
  /** True where the row says something by itself. */
  says = false;
  /** @type {{ start: number, part: number, rows: number, columns: number } | undefined} */
  cell;
}

/** What is read of a page: the text of the open row, and the parts before it. @typedef {{ buffer: string, filled: boolean, said: boolean, parts: unknown[] }} Page */

/** The tables that are open at a place of a page. */
export class Tables {
  /** Rows may stand outside of a table. */
  open = [new Table()];

  get table() {
    return /** @type {Table} */ (this.open.at(-1));
  }

  begin() {
    this.open.push(new Table());
  }

  end() {
    if (this.open.length > 1) this.open.pop();
  }

  /** Merged cells end with the part of the table that they are in. */
  endGroup() {
    this.table.merged.clear();
  }

  beginRow() {
    Object.assign(this.table, { column: 0, lent: 0, says: false, cell: undefined, next: new Map() });
  }

  /** Returns what merged cells say before the next cell of the row. @returns {string[]} */
  before() {
    const { table } = this;
    const texts = [];
    for (let found = table.merged.get(table.column); found !== undefined; found = table.merged.get(table.column)) {
      texts.push(...this.take(table.column, found));
      table.column += 1;
    }
    return texts;
  }

  /** @param {number} column @param {Merged} merged @returns {string[]} */
  take(column, { text, rowsLeft }) {
    const { table } = this;
    table.merged.delete(column);
    if (rowsLeft > 1) table.next.set(column, { text, rowsLeft: rowsLeft - 1 });
    if (text === undefined || table.lent + text.length > MOST_LENT) return [];
    table.lent += text.length;
    return [text];
  }

  /** @param {Page} page @param {Record<string, string>} attributes */
  beginCell(page, { rowspan, colspan }) {
    for (const text of [...this.before(), '']) addCell(page, text);
    const [start, part] = [page.buffer.length, page.parts.length];
    const rows = spanOf(rowspan);
    // 0: to the end of this part of the table.
    this.table.cell = { start, part, rows: rows === 0 ? MOST : rows, columns: Math.max(1, spanOf(colspan)) };
  }

  /** @param {Page} page */
  endCell({ buffer, parts }) {
    const { table } = this;
    const { cell } = table;
    if (cell === undefined) return;
    table.cell = undefined;
    // What stands in a table within the cell is parts of its own; a text that grows is only looked into while it is short.
    const isWhole = cell.part === parts.length && buffer.length <= LONGEST_ROW;
    const isRead = isWhole && (cell.rows > 1 || !table.says);
    const written = isRead ? withoutSigns(buffer.slice(cell.start)).trim() : '';
    table.says ||= !isWhole || written !== '';
    const text = isWhole && written.length <= LONGEST ? written : undefined;
    for (let i = 0; i < cell.columns && table.column < MOST_COLUMNS; i += 1) {
      if (cell.rows > 1) table.next.set(table.column, { text: i === 0 ? text : undefined, rowsLeft: cell.rows - 1 });
      table.column += 1;
    }
  }

  /** Adds what merged cells say behind the last cell of the row; a row that says nothing by itself is none. @param {Page} page */
  endRow(page) {
    const texts = this.before();
    const { table } = this;
    for (const [column, merged] of [...table.merged].sort(([a], [b]) => a - b))
      texts.push(...this.take(column, merged));
    table.merged = table.next;
    for (const text of texts) addCell(page, text);
    if (table.lent > 0 && !table.says) page.filled = false;
  }
}

/** @param {Page} page @param {string} text */
function addCell(page, text) {
  page.buffer += page.filled ? ` | ${text}` : text;
  page.said ||= page.filled;
  page.filled ||= text !== '';
}

/** @param {string | undefined} written */
function spanOf(written) {
  const span = Number.parseInt(written ?? '1', 10);
  return span >= 0 ? Math.min(span, MOST) : 1;
}
