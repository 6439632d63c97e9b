import { describe, expect, it } from '@jest/globals';
import { type Cell, partsOf, type Sheet, workbook } from './workbooks.js';

const ofRows = (rows: readonly (readonly Cell[])[], merged: readonly string[] = []) =>
  partsOf(workbook({ Sheet1: { rows, merged } }));
const stock: Sheet = {
  rows: [
    ['Name', 'Price'],
    ['Kettle', 89],
    ['Pan', 45],
  ],
};

describe('the sheets of a workbook', () => {
  it('stand below their names', async () => {
    const other: Sheet = {
      rows: [
        ['Name', 'Phone'],
        ['Tarne Dairy', 114],
        ['North Mill', 115],
      ],
    };
    expect((await partsOf(workbook({ Goods: stock, Sheet2: other }))).filter((text) => text.startsWith('h2'))).toEqual([
      'h2: Goods',
      'h2: Sheet2',
    ]);
  });

  it.each(['Sheet1', 'Tabelle1', 'Feuil1', 'Hoja1', 'Лист1', 'シート1', 'stock', 'Stock'])(
    'have no heading where one alone says nothing: %s',
    async (name) => {
      const empty: Sheet = { rows: [] };
      expect((await partsOf(workbook({ [name]: stock, Empty: empty })))[0]).toMatch(/^h[23]: Kettle$/u);
    },
  );

  it.each([1, 2] as const)('are left out where they are hidden: %i', async (hidden) => {
    const { parse } = await import('../../src/ingest/parse/parse.js');
    const bytes = workbook({ Sheet1: stock, Lists: { rows: [['Old', 'Prices']], hidden } });
    const { parts, notice } = await parse({ type: 'spreadsheet', name: 'a.xlsx', bytes });
    expect(JSON.stringify(parts)).not.toContain('Old');
    expect(notice).toBe(hidden === 1 ? 'One hidden sheet is left out; unhide what is to be found.' : undefined);
  });

  it('are found by any name', async () => {
    expect(await partsOf(workbook({ toString: stock, constructor: stock }))).toContain('h2: constructor');
  });
});

describe('merged cells', () => {
  it('stand in each row that they cover', async () => {
    const rows = [
      ['Day', 'Shift', 'Who'],
      ['Monday', 'Early', 'Ada'],
      [null, 'Late', 'Bo'],
      ['Tuesday', 'Early', 'Bo'],
    ];
    expect(await ofRows(rows, ['A2:A3'])).toContain('prose: day: Monday; shift: Late; who: Bo.');
  });

  it('stand once where they are a title', async () => {
    const rows = [
      ['Regatta 2026', null, null],
      ['Crew', 'Lane', 'Time'],
      ['Eastmoor', 4, 31],
      ['Penhallow', 2, 40],
    ];
    expect(await ofRows(rows, ['A1:C1'])).toEqual([
      'h2: Regatta 2026',
      'h3: Eastmoor',
      'prose: crew: Eastmoor; lane: 4; time: 31.',
      'h3: Penhallow',
      'prose: crew: Penhallow; lane: 2; time: 40.',
    ]);
  });

  it('group the columns below them', async () => {
    const rows = [
      ['Region', '2025', null, '2026', null],
      [null, 'Q1', 'Q2', 'Q1', 'Q2'],
      ['North', 1, 2, 3, 4],
      ['South', 5, 6, 7, 8],
    ];
    expect(await ofRows(rows, ['A1:A2', 'B1:C1', 'D1:E1'])).toContain(
      'prose: region: North; 2025 Q1: 1; 2025 Q2: 2; 2026 Q1: 3; 2026 Q2: 4.',
    );
  });

  it('stand in each column of a timetable that they cover, but a total does not', async () => {
    const rows = [
      ['Day', '9:00', '10:00', '11:00'],
      ['Monday', 'Maths', null, 'Art'],
      ['Tuesday', 'Art', 'Sport', 'Maths'],
      ['Free', null, null, 'all'],
    ];
    const parts = await ofRows(rows, ['B2:C2', 'A4:C4']);
    expect(parts).toContain('prose: day: Monday; 9:00: Maths; 10:00: Maths; 11:00: Art.');
    expect(parts).toContain('prose: day: Free; 11:00: all.');
  });
});

describe('the tables of a sheet', () => {
  it('are divided by empty rows where each has a head, with their titles', async () => {
    const month = (name: string, rent: number) => [
      [name],
      ['Item', 'Amount', 'Who'],
      ['Rent', rent, 'Ada'],
      ['Light', 40, 'Bo'],
      [],
    ];
    expect(await ofRows([...month('January', 300), ...month('February', 310)])).toEqual([
      'h2: January',
      'h3: Rent',
      'prose: item: Rent; amount: 300; who: Ada.',
      'h3: Light',
      'prose: item: Light; amount: 40; who: Bo.',
      'h2: February',
      'h3: Rent',
      'prose: item: Rent; amount: 310; who: Ada.',
      'h3: Light',
      'prose: item: Light; amount: 40; who: Bo.',
    ]);
  });

  it('go on behind an empty row without a head, and not with a line, which comes first', async () => {
    const rows = [
      ['Item', 'Place', 'Qty'],
      ['Tea', 'Shelf', 3],
      ['Milk', 'Fridge', 2],
      [],
      ['Salt', 'Shelf', 9],
      ['Oil', 'Shelf', 1],
      [],
      ['Counted on Monday.'],
    ];
    const parts = await ofRows(rows);
    expect(parts).toContain('prose: item: Salt; place: Shelf; qty: 9.');
    // Behind the rows it would be said of the last one.
    expect(parts[0]).toBe('prose: Counted on Monday.');
  });

  it('are divided by empty columns where each is one by itself', async () => {
    const rows = [
      ['Income', null, null, 'Costs'],
      ['Item', 'Amount', null, 'Item', 'Amount'],
      ['Sale', 10, null, 'Rent', 7],
      ['Fee', 20, null, 'Light', 3],
    ];
    const parts = await ofRows(rows);
    expect(parts.filter((text) => text.startsWith('h2'))).toEqual(['h2: Income', 'h2: Costs']);
    expect(parts).toContain('prose: item: Rent; amount: 7.');
  });

  it('are one where the empty column only parts its columns', async () => {
    const rows = [
      ['Name', 'Age', null, 'Phone', 'City'],
      ['Ada', 31, null, '01632 1', 'Leeds'],
      ['Bo', 44, null, '01632 2', 'York'],
      ['Cy', 28, null, null, 'Hull'],
    ];
    expect(await ofRows(rows)).toContain('prose: age: 31; phone: 01632 1; city: Leeds.');
  });

  it('are forms where names stand beside their values', async () => {
    const rows = [
      ['Quarry Lettings'],
      ['Invoice no.:', '2026-114'],
      ['Customer:', 'Ada Pym'],
      ['Seats:', 4],
      ['Password:', 'seagull7'],
      ['Fax:'],
    ];
    expect(await ofRows(rows)).toEqual([
      'h2: Quarry Lettings',
      'prose: invoice no.: 2026-114; customer: Ada Pym; seats: 4; password: (a secret, left out).',
    ]);
  });

  it('leave secrets out', async () => {
    const parts = await ofRows([
      ['Site', 'Password'],
      ['Shop', 'seagull7!x'],
      ['Mail', 'gannet9!y'],
    ]);
    expect(parts).toContain('prose: site: Shop; password: (a secret, left out).');
  });

  it('may be lines alone, with a title, and indented', async () => {
    const long = 'word '.repeat(60).trim();
    expect(await ofRows([['House rules'], [], ['Close the fridge.'], [null, 'Also the left door.'], [long]])).toEqual([
      'h2: House rules',
      'list: - Close the fridge.',
      'list:   - Also the left door.',
      `prose: ${long}`,
    ]);
  });
});
