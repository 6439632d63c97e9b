import { describe, expect, it } from '@jest/globals';
import { parse } from '../../src/ingest/parse/parse.js';
import { openDocument, partsOf, spreadsheet, workbook, worksheet } from './workbooks.js';

const cell = (at: string, text: string) => `<c r="${at}" t="inlineStr"><is><t>${text}</t></is></c>`;
const cells = (row: number, ...texts: string[]) =>
  `<row r="${row}">${texts.map((text, i) => cell(`${'ABCDEFGH'[i]}${row}`, text)).join('')}</row>`;
const rows = cells(1, 'Name', 'Price') + cells(2, 'Pan', '45');
const lines = ['h2: Pan', 'prose: price: 45.'];

async function refused(bytes: Uint8Array, limit: string) {
  await expect(parse(spreadsheet(bytes))).rejects.toMatchObject({ code: 'too_large', details: { limit } });
}

describe('spreadsheets that would hold a parser up', () => {
  it('are read by the cells that there are: a used range of a whole sheet', async () => {
    expect(await partsOf(worksheet(`<dimension ref="A1:XFD1048576"/><sheetData>${rows}</sheetData>`))).toEqual(lines);
  });

  it('are read: cells at the ends of a sheet, and beyond them', async () => {
    const far = `<row r="1048576">${cell('XFD1048576', 'The last cell.')}</row><row r="99999999999">${cell('ZZZZZZZ99999999999', 'Beyond.')}</row>`;
    expect(await partsOf(worksheet(`<sheetData>${rows}${far}</sheetData>`))).toEqual(
      expect.arrayContaining([...lines, expect.stringContaining('The last cell.')]),
    );
  });

  it('are read: very many merged cells of a whole sheet', async () => {
    const merges = '<mergeCell ref="A1:XFD1048576"/><mergeCell ref="B1:XFD1"/>'.repeat(100_000);
    const sheet = worksheet(`<sheetData>${rows}</sheetData><mergeCells>${merges}</mergeCells>${' '.repeat(100)}`);
    // A ratio over the limit is refused before anything is read.
    await refused(sheet, 'ratio');
    const varied = Array.from({ length: 100_000 }, (_, i) => `<mergeCell ref="A${1 + (i % 3)}:XFD${1_048_576 - i}"/>`);
    expect(
      await partsOf(worksheet(`<sheetData>${rows}</sheetData><mergeCells>${varied.join('')}</mergeCells>`)),
    ).toEqual(lines);
  });

  it('are refused with the limit: a diagonal of cells', async () => {
    const column = (i: number): string =>
      (i < 26 ? '' : column(Math.floor(i / 26) - 1)) + String.fromCharCode(65 + (i % 26));
    const diagonal = Array.from(
      { length: 5000 },
      (_, i) => `<row r="${i + 1}">${cell(`${column(i)}${i + 1}`, `x${i * 7}`)}</row>`,
    );
    await refused(worksheet(`<sheetData>${diagonal.join('')}</sheetData>`), 'cells');
  });

  it.each([
    ['rows', 'table:number-rows-repeated="1000000000"', ''],
    ['columns', '', 'table:number-columns-repeated="1000000000"'],
  ])('are refused with the limit: %s repeated a billion times', async (_, row, column) => {
    const table = (text: string) =>
      `<table:table-row ${row}><table:table-cell ${column}>${text}</table:table-cell></table:table-row>`;
    await refused(openDocument(table('<text:p>x1</text:p>')), 'cells');
    const words = '<table:table-row><table:table-cell><text:p>Words.</text:p></table:table-cell></table:table-row>';
    expect(await partsOf(openDocument(table('') + words))).toEqual(['prose: Words.']);
  });

  it('are refused with the limit: what unpacks to too much', async () => {
    await refused(openDocument(`<!-- ${' '.repeat(170 << 20)} -->`), 'sheetMib');
    await refused(openDocument(`<!-- ${' '.repeat(32 << 20)} -->`), 'ratio');
  });

  it('are refused with the limit: elements nested very deep', async () => {
    const spans = Array.from({ length: 100_000 }, (_, i) => `<text:span n="${(i * 7919) % 104_729}">`);
    await refused(openDocument(`<table:table-row><table:table-cell>${spans.join('')}<text:p>Words.</text:p>`), 'depth');
  });

  it('are read: many rows, each behind an empty one', async () => {
    const many = Array.from({ length: 20_000 }, (_, i) => cells(i * 2 + 3, `Item ${i}`, String(i)));
    const parts = await partsOf(worksheet(`<sheetData>${cells(1, 'Name', 'Price')}${many.join('')}</sheetData>`));
    expect(parts).toHaveLength(40_000);
  });

  it('are read: members of all objects as names of sheets and columns', async () => {
    const odd = cells(1, '__proto__', 'constructor') + cells(2, 'toString', '45') + cells(3, 'valueOf', '46');
    expect(await partsOf(worksheet(`<sheetData>${odd}</sheetData>`))).toContain('h2: toString');
    const rows = [
      ['Name', 'Price'],
      ['Pan', 45],
      ['Pot', 7],
    ];
    for (const type of ['xlsx', 'xlsb', 'xls'] as const) {
      const names = ['__proto__', 'Stock', 'constructor'];
      const sheets = Object.fromEntries(names.map((name) => [name, { rows }]));
      const parts = await partsOf(workbook(sheets, type));
      expect(parts.filter((part) => part.startsWith('h2'))).toEqual(names.map((name) => `h2: ${name}`));
      expect(parts.filter((part) => part === 'h3: Pan')).toHaveLength(3);
    }
    const table = '<table:table-row><table:table-cell><text:p>Words.</text:p></table:table-cell></table:table-row>';
    expect(await partsOf(openDocument(table, { name: '__proto__' }))).toEqual(['h2: __proto__', 'prose: Words.']);
  });
});
