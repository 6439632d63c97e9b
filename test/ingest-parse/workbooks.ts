import { type BookType, type CellObject, utils, type WorkSheet, write } from '@e965/xlsx';
import { zipSync } from 'fflate';
import { type Content, parse } from '../../src/ingest/parse/parse.js';

export type Cell = string | number | boolean | null | CellObject;
/** A sheet as rows of cells; null is none. */
export interface Sheet {
  readonly rows: readonly (readonly Cell[])[];
  readonly merged?: readonly string[];
  /** 1 for hidden, 2 for very hidden. */
  readonly hidden?: 0 | 1 | 2;
}

/** Returns a number with the format that shows it. */
export const shown = (v: number, z: string): CellObject => ({ t: 'n', v, z });
/** Returns a text with a comment. */
export const noted = (v: string | number, t: string): CellObject => ({
  t: typeof v === 'string' ? 's' : 'n',
  v,
  c: [{ a: 'Owner', t }],
});

function sheetOf({ rows, merged = [] }: Sheet): WorkSheet {
  const sheet = utils.aoa_to_sheet(rows.map((row) => [...row]));
  sheet['!merges'] = merged.map((range) => utils.decode_range(range));
  return sheet;
}

/** Returns a workbook as a program writes it. */
export function workbook(
  sheets: Readonly<Record<string, Sheet>>,
  bookType: BookType = 'xlsx',
  date1904 = false,
): Buffer {
  const book = utils.book_new();
  for (const [name, sheet] of Object.entries(sheets)) utils.book_append_sheet(book, sheetOf(sheet), name);
  book.Workbook = {
    Sheets: Object.values(sheets).map(({ hidden = 0 }) => ({ Hidden: hidden })),
    WBProps: { date1904 },
  };
  return write(book, { type: 'buffer', bookType, compression: true }) as Buffer;
}

const archive = (entries: Readonly<Record<string, string>>): Buffer =>
  Buffer.from(zipSync(Object.fromEntries(Object.entries(entries).map(([name, text]) => [name, Buffer.from(text)]))));

/** Returns a workbook whose only sheet is the XML within `worksheet`. */
export function worksheet(xml: string): Buffer {
  const types = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  return archive({
    '[Content_Types].xml': `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/xl/workbook.xml" ContentType="${types}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${types}.worksheet+xml"/></Types>`,
    'xl/workbook.xml': `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="${office}"><sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships><Relationship Id="rId1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    'xl/worksheets/sheet1.xml': `<worksheet>${xml}</worksheet>`,
  });
}

/** Returns a spreadsheet of OpenDocument of one table, and styles. */
export function openDocument(rows: string, { name = 'Sheet1', styles = '', manifest = '', of = '' } = {}): Buffer {
  return archive({
    'META-INF/manifest.xml': `<manifest:manifest>${manifest}</manifest:manifest>`,
    'content.xml': `<office:document-content><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:spreadsheet><table:table table:name="${name}" ${of}>${rows}</table:table></office:spreadsheet></office:body></office:document-content>`,
  });
}

export const spreadsheet = (bytes: Uint8Array, name = 'stock.xlsx'): Content => ({ type: 'spreadsheet', name, bytes });

/** Returns what is read of a spreadsheet, a line each, without the name of the file. */
export async function partsOf(bytes: Uint8Array, name?: string): Promise<string[]> {
  const { parts } = await parse(spreadsheet(bytes, name));
  return parts.slice(1).map((part) => `${part.kind === 'heading' ? `h${part.level}` : part.kind}: ${part.text}`);
}
