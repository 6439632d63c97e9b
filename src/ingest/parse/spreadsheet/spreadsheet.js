import { Buffer } from 'node:buffer';
import { PasswordException, unpack } from '../archive.js';
import { sheetParts } from './sheet-parts.js';

/** @typedef {import('../parts.js').Part} Part */

/**
 * A sheet with what its cells say. Rows and columns are counted from 0, and only those stand here that have a text.
 * @typedef {{ name: string, rows: Map<number, string[]>, merges: Merge[], notes: Map<number, string[]> }} Sheet
 */
/** The first and last row and column of a merged cell, whose text stands in its first. @typedef {{ top: number, left: number, bottom: number, right: number }} Merge */
/**
 * What a file of a spreadsheet holds: its visible sheets, and how much of it is not here.
 * @typedef {{ sheets: Sheet[], hidden: number, uncomputed: boolean, unreadable?: number }} Workbook
 */

/** What a sheet is called that nobody gave a name, in the languages of spreadsheets. */
const UNNAMED =
  /^(?:sheet|worksheet|tabelle|feuil(?:le)?|hoja|folha|planilha|foglio|blad|ark|taul(?:ukko)?|arkusz|list|hárok|munka|foaie|лист|аркуш|シート|工作表|φύλλο)[ _]?\d*$/iu;
/** Entries of an archive that hold no cells. */
const NO_CELLS =
  /(?:^|\/)(?:media|drawings|charts|(?:chart|dialog|macro)sheets|pivotCache|pivotTables|externalLinks|embeddings|printerSettings|activeX|ctrlProps|theme|customXml|docProps|Thumbnails|Pictures|Configurations2|Object[^/]*)\/|calcChain|vbaProject/iu;

/** Sheets of an archive that are none of cells. */
const OTHER_SHEET = /\/(?:chart|dialog|macro)sheets\/[^/]*$/iu;

/**
 * Returns the parts of a spreadsheet: the tables of each visible sheet below its name. Throws `LimitExceeded` and `PasswordException`.
 * @param {Buffer} bytes
 * @returns {Promise<{ parts: Iterable<Part>, notice?: string }>}
 */
export async function spreadsheetParts(bytes) {
  const workbook = await read(bytes);
  const notice = noticeOf(workbook);
  return { parts: partsOf(workbook), ...(notice === '' ? {} : { notice }) };
}

/** @param {Buffer} bytes @returns {Promise<Workbook>} */
async function read(bytes) {
  if (bytes.subarray(0, 2).toString('latin1') !== 'PK') return ofExcel(bytes);
  let others = 0;
  const isWanted = (/** @type {string} */ name) => {
    if (OTHER_SHEET.test(name)) others += 1;
    return /\.(?:xml|rels|bin)$/iu.test(name) && !NO_CELLS.test(name);
  };
  const entries = unpack(bytes, isWanted, 'sheetMib');
  const content = entries['content.xml'];
  if (content === undefined) {
    const workbook = await ofExcel(entries);
    return { ...workbook, unreadable: Math.max(0, (workbook.unreadable ?? 0) - others) };
  }
  const manifest = Buffer.from(entries['META-INF/manifest.xml'] ?? []);
  if (manifest.includes('encryption-data')) throw new PasswordException();
  return (await import('./open-document.js')).openDocumentSheets(content);
}

/** @param {Buffer | Record<string, Uint8Array>} given @returns {Promise<Workbook>} */
async function ofExcel(given) {
  const { workbookOf } = await import('./workbook.js');
  try {
    return workbookOf(given);
  } catch (error) {
    throw /password|encrypt/iu.test(String(error)) ? new PasswordException() : error;
  }
}

/** @param {Workbook} workbook @returns {Generator<Part>} */
function* partsOf({ sheets }) {
  const filled = sheets.filter(({ rows }) => rows.size > 0);
  for (const sheet of filled) {
    const isNamed = filled.length > 1 || !UNNAMED.test(sheet.name);
    if (isNamed) yield { kind: 'heading', level: 2, text: sheet.name };
    for (const part of sheetParts(sheet)) {
      if (part.kind !== 'heading') yield part;
      // A title that says what the sheet is called says no more.
      else if (!isNamed) yield part;
      else if (part.text !== sheet.name) yield { ...part, level: part.level + 1 };
    }
  }
}

/** Returns what a reader should know of a spreadsheet, or nothing. @param {Workbook} workbook */
function noticeOf({ hidden, uncomputed, unreadable = 0 }) {
  return [
    uncomputed &&
      'Some of its formulas have no values, as a program leaves them that does not compute; open the file in a spreadsheet program and save it to have them.',
    hidden > 0 && `${counted(hidden, 'hidden sheet')} left out; unhide what is to be found.`,
    unreadable > 0 && `${counted(unreadable, 'sheet')} left out that cannot be read; save the file anew.`,
  ]
    .filter(Boolean)
    .join(' ');
}

/** @param {number} number @param {string} what */
function counted(number, what) {
  return number === 1 ? `One ${what} is` : `${number} ${what}s are`;
}
