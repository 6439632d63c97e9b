import { Buffer } from 'node:buffer';
import { read, parse_zip as readEntries, set_cptable } from '@e965/xlsx';
import { LIMITS, LimitExceeded } from '../limits.js';
import { textOf } from './cell-text.js';
import { codePages } from './code-pages.js';
import { put } from './put.js';

/** @typedef {import('./spreadsheet.js').Sheet} Sheet */
/** @typedef {import('./spreadsheet.js').Workbook} Workbook */
/** @typedef {import('@e965/xlsx').CellObject} Cell */

/** A formula of a worksheet without a value, where that is no empty text. */
const UNCOMPUTED =
  /<c(?=[\s>])(?![^<>]*\st="str")[^<>]*><f(?=[\s/>])(?:[^<>]*\/>|[^<>]*>[^<]*<\/f>)(?:<v\s?\/>|<v><\/v>)?<\/c>/u;
const WORKSHEET = /(?:^|\/)worksheets\/[^/]*\.xml$/iu;
/** A hidden sheet, and one that only a program can show. */
const HIDDEN = 1;

/**
 * Returns the sheets of a workbook of Excel: its bytes, or the entries of its archive.
 * @param {Buffer | Record<string, Uint8Array>} given
 * @returns {Workbook}
 */
export function workbookOf(given) {
  const isArchive = !Buffer.isBuffer(given);
  // Only the older format has texts that are not Unicode.
  if (!isArchive) set_cptable(codePages);
  const book = parsed(given);
  const from1904 = book.Workbook?.WBProps?.date1904 === true;
  const states = book.SheetNames.map((name, i) => ({
    name,
    sheet: sheetNamed(book.Sheets, name),
    hidden: book.Workbook?.Sheets?.[i]?.Hidden ?? 0,
  }));
  const visible = states.filter(({ hidden }) => hidden === 0);
  const budget = { cells: LIMITS.cells };
  return {
    sheets: visible.flatMap(({ name, sheet }) => (sheet === undefined ? [] : [sheetOf(name, sheet, from1904, budget)])),
    hidden: states.filter(({ hidden }) => hidden === HIDDEN).length,
    unreadable: visible.filter(({ sheet }) => sheet === undefined).length,
    uncomputed: isArchive && Object.entries(given).some(([name, xml]) => WORKSHEET.test(name) && isUncomputed(xml)),
  };
}

/** Returns a sheet; one called `__proto__` became the prototype of the others. @param {import('@e965/xlsx').WorkBook['Sheets']} sheets @param {string} name */
function sheetNamed(sheets, name) {
  if (Object.hasOwn(sheets, name)) return sheets[name];
  const prototype = name === '__proto__' ? Object.getPrototypeOf(sheets) : Object.prototype;
  return prototype === Object.prototype ? undefined : prototype;
}

const OPTIONS = Object.freeze({ dense: true, cellNF: true, cellFormula: false, cellHTML: false });

/** @param {Buffer | Record<string, Uint8Array>} given @returns {import('@e965/xlsx').WorkBook} */
function parsed(given) {
  if (Buffer.isBuffer(given)) return read(given, { type: 'buffer', ...OPTIONS });
  const entries = Object.entries(given);
  // As the library's own reader of archives, which has no limits, would hand them over.
  const archive = {
    FullPaths: entries.map(([name]) => name),
    FileIndex: entries.map(([name, xml]) => ({ name, type: 2, content: bufferOf(xml) })),
  };
  return readEntries(archive, { ...OPTIONS });
}

/** @param {Uint8Array} bytes */
function bufferOf(bytes) {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** @param {Uint8Array} xml */
function isUncomputed(xml) {
  const text = bufferOf(xml);
  return (text.includes('<f>') || text.includes('<f ')) && UNCOMPUTED.test(text.toString());
}

/** @param {string} name @param {import('@e965/xlsx').WorkSheet} sheet @param {boolean} from1904 @param {{ cells: number }} budget @returns {Sheet} */
function sheetOf(name, sheet, from1904, budget) {
  /** @type {Sheet} */
  const found = { name, rows: new Map(), merges: [], notes: new Map() };
  // What the sheet says of its own size may be anything: only the cells that there are count.
  for (const [at, cells] of Object.entries(sheet['!data'] ?? [])) {
    const row = Number(at);
    for (const [column, cell] of Object.entries(cells ?? [])) {
      budget.cells -= 1;
      if (budget.cells < 0) throw new LimitExceeded('cells', `has more than ${LIMITS.cells} cells; split it`);
      put(found.rows, row, Number(column), textOf(cell, from1904));
      if (cell.c !== undefined) put(found.notes, row, Number(column), noteOf(cell.c));
    }
  }
  found.merges = (sheet['!merges'] ?? []).map(({ s, e }) => ({ top: s.r, left: s.c, bottom: e.r, right: e.c }));
  return found;
}

/** Returns the comments of a cell, without the name of who wrote each where that stands in a line above. @param {NonNullable<Cell['c']>} comments */
function noteOf(comments) {
  return comments
    .map(({ a: author, t: text = '' }) => {
      const begin = `${author}:`;
      return (text.startsWith(begin) ? text.slice(begin.length) : text).replace(/\s+/gu, ' ').trim();
    })
    .filter(Boolean)
    .join('; ');
}
