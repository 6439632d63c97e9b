import { Parser } from 'htmlparser2';
import { LIMITS, LimitExceeded } from '../limits.js';
import { put } from './put.js';

/** @typedef {import('./spreadsheet.js').Sheet} Sheet */
/** @typedef {import('./spreadsheet.js').Workbook} Workbook */

/** What no cell says: pictures, changes that were tracked, what other files hold, how readings are written above words. */
const SKIPPED =
  /^(?:draw:(?!a$).*|table:(?:tracked-changes|shapes|dde-links|content-validations|label-ranges)|text:ruby-text|dc:.*|meta:.*)$/u;
/** Cells that a merged one covers, or that hold something. */
const CELL = /^table:(?:covered-)?table-cell$/u;
/** A number that the sheet had no room for, or cut. */
const CUT = /^#+$|\dE[+-]?\d/u;
/** How spreadsheets write what a formula found true or false, in their languages. */
const TRUTH = /^(?:TRUE|FALSE|WAHR|FALSCH|VRAI|FAUX|VERDADERO|VERDADEIRO|FALSO|VERO|WAAR|ONWAAR)$/u;
const ERROR = /^(?:#[A-Z\d/]{2,10}[!?]?|Err:\d+)$/u;

/** Bytes that are decoded at once. */
const PIECE = 1 << 20;

/** Returns the sheets of a spreadsheet of OpenDocument, by its `content.xml`. Throws `LimitExceeded`. @param {Uint8Array} xml @returns {Workbook} */
export function openDocumentSheets(xml) {
  const reader = new Reader();
  const parser = new Parser(reader, { xmlMode: true, decodeEntities: true });
  const decoder = new TextDecoder();
  for (let at = 0; at < xml.length; at += PIECE)
    parser.write(decoder.decode(xml.subarray(at, at + PIECE), { stream: true }));
  parser.end(decoder.decode());
  const { sheets, hidden, uncomputed } = reader;
  return { sheets, hidden, uncomputed };
}

class Reader {
  /** @type {Sheet[]} */
  sheets = [];
  hidden = 0;
  uncomputed = false;
  /** Names of styles of sheets that are hidden. @type {Set<string>} */
  hiddenStyles = new Set();
  style = '';
  /** @type {Sheet | undefined} */
  sheet;
  isHidden = false;
  row = 0;
  column = 0;
  rowRepeats = 1;
  /** Elements that are open: of tables in cells, of what is skipped, of comments. */
  tables = 0;
  skipped = 0;
  notes = 0;
  /** @type {{ attributes: Record<string, string>, texts: string[], notes: string[] } | undefined} */
  cell;
  depth = 0;
  budget = LIMITS.cells;

  /** @param {string} name @param {Record<string, string>} attributes */
  onopentag(name, attributes) {
    this.depth += 1;
    if (this.depth > LIMITS.depth) {
      throw new LimitExceeded('depth', `nests elements deeper than ${LIMITS.depth}; save it anew`);
    }
    if (this.skipped > 0 || SKIPPED.test(name)) this.skipped += 1;
    else if (name === 'style:style') this.style = attributes['style:name'] ?? '';
    else if (name === 'style:table-properties' && attributes['table:display'] === 'false')
      this.hiddenStyles.add(this.style);
    else if (name === 'table:table') this.openTable(attributes);
    else if (this.tables !== 1) return;
    else if (name === 'table:table-row') {
      this.column = 0;
      this.rowRepeats = repeats(attributes['table:number-rows-repeated']);
    } else if (CELL.test(name)) this.cell = { attributes, texts: [], notes: [] };
    else if (name === 'office:annotation') this.notes += 1;
    else if (name === 'text:p') this.lines.push('');
    else if (name === 'text:s') this.ontext(' '.repeat(Math.min(100, repeats(attributes['text:c']))));
    else if (name === 'text:tab' || name === 'text:line-break') this.ontext(' ');
  }

  /** The lines that a text of the open cell goes to. */
  get lines() {
    return (this.notes > 0 ? this.cell?.notes : this.cell?.texts) ?? [];
  }

  /** @param {string} text */
  ontext(text) {
    const { lines } = this;
    if (this.skipped === 0 && lines.length > 0) lines[lines.length - 1] += text;
  }

  /** @param {string} name */
  onclosetag(name) {
    this.depth -= 1;
    if (this.skipped > 0) this.skipped -= 1;
    else if (name === 'table:table') this.closeTable();
    else if (this.tables !== 1) return;
    else if (name === 'table:table-row') this.row += this.rowRepeats;
    else if (name === 'office:annotation') this.notes = Math.max(0, this.notes - 1);
    else if (CELL.test(name)) this.closeCell();
  }

  /** @param {Record<string, string>} attributes */
  openTable({ 'table:name': name = '', 'table:style-name': style = '' }) {
    this.tables += 1;
    if (this.tables > 1) return;
    this.isHidden = this.hiddenStyles.has(style);
    this.sheet = { name, rows: new Map(), merges: [], notes: new Map() };
    this.row = 0;
  }

  closeTable() {
    this.tables = Math.max(0, this.tables - 1);
    if (this.tables > 0 || this.sheet === undefined) return;
    if (this.isHidden) this.hidden += 1;
    else this.sheets.push(this.sheet);
    this.sheet = undefined;
  }

  closeCell() {
    const { cell, sheet, row, column } = this;
    if (cell === undefined || sheet === undefined) return;
    this.cell = undefined;
    const { attributes } = cell;
    const columns = repeats(attributes['table:number-columns-repeated']);
    this.column += columns;
    const text = textOf(cell.texts, attributes);
    const note = cell.notes.join(' ').replace(/\s+/gu, ' ').trim();
    this.uncomputed ||= !this.isHidden && isUncomputed(cell.texts, attributes);
    if (text === '' && note === '') return;
    this.budget -= columns * this.rowRepeats;
    if (this.budget < 0) throw new LimitExceeded('cells', `has more than ${LIMITS.cells} cells; split it`);
    for (let i = row; i < row + this.rowRepeats; i += 1) {
      for (let j = column; j < column + columns; j += 1) put(sheet.rows, i, j, text);
      put(sheet.notes, i, column, note);
    }
    const right = column + repeats(attributes['table:number-columns-spanned']) - 1;
    const bottom = row + repeats(attributes['table:number-rows-spanned']) - 1;
    if (right > column || bottom > row) sheet.merges.push({ top: row, left: column, bottom, right });
  }
}

/** @param {string[]} lines @param {Record<string, string>} attributes */
function textOf(lines, attributes) {
  const shown = lines
    .map((line) => line.replace(/[ \t\r\n]+/gu, ' ').trim())
    .join('\n')
    .trim();
  const value = attributes['office:value'] ?? '';
  switch (attributes['office:value-type']) {
    case 'boolean':
      return attributes['office:boolean-value'] === 'true' ? 'yes' : 'no';
    case 'date':
      return dateOf(attributes['office:date-value'] ?? '') ?? shown;
    case 'time':
      return clockOf(attributes['office:time-value'] ?? '') ?? shown;
    case 'float':
    case 'percentage':
    case 'currency':
      if (ERROR.test(shown)) return '';
      if (TRUTH.test(shown)) return value === '0' ? 'no' : 'yes';
      return shown === '' || CUT.test(shown) ? numberOf(value) : shown;
    default:
      return ERROR.test(shown) && attributes['table:formula'] !== undefined ? '' : shown;
  }
}

/** @param {string} value */
function numberOf(value) {
  const number = Number(value);
  return value === '' || !Number.isFinite(number) ? '' : String(Number(number.toPrecision(15)));
}

/** Returns a date without the time that it has not: "2026-06-13", "2026-06-13 14:30". @param {string} value */
function dateOf(value) {
  const [, date, clock, seconds] = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d)(?::(\d\d))?.*)?$/u.exec(value) ?? [];
  if (date === undefined || clock === undefined) return date;
  const time = withSeconds(clock, seconds);
  return time === '00:00' ? date : `${date} ${time}`;
}

/** Returns a time of the day, undefined for more hours than a day has. @param {string} value */
function clockOf(value) {
  const [, hours, minutes = '', seconds] = /^PT(\d\d)H(\d\d)M(\d\d)(?:[.,]\d+)?S$/u.exec(value) ?? [];
  return hours === undefined || Number(hours) > 23 ? undefined : withSeconds(`${hours}:${minutes}`, seconds);
}

/** @param {string} clock @param {string | undefined} seconds */
function withSeconds(clock, seconds = '00') {
  return seconds === '00' ? clock : `${clock}:${seconds}`;
}

/** @param {string[]} lines @param {Record<string, string>} attributes */
function isUncomputed(lines, attributes) {
  const isFormula = attributes['table:formula'] !== undefined;
  return isFormula && lines.length === 0 && attributes['office:value-type'] === undefined;
}

/** @param {string | undefined} written */
function repeats(written) {
  const number = Number.parseInt(written ?? '1', 10);
  return number > 0 ? number : 1;
}
