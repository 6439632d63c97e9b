import { describe, expect, it } from '@jest/globals';
import { type Cell, partsOf, shown, workbook } from './workbooks.js';

const ofSheets = (sheets: Readonly<Record<string, readonly (readonly Cell[])[]>>) =>
  partsOf(workbook(Object.fromEntries(Object.entries(sheets).map(([name, rows]) => [name, { rows }]))));

describe('what stands below a table behind an empty row', () => {
  it('is a line where a name of no row has a value alone', async () => {
    const days = [
      ['Date', 'Start', 'Task'],
      ['2026-11-02', 8, 'survey'],
      ['2026-11-03', 9, 'office'],
      [],
      ['Days worked', 2],
    ];
    const parts = await ofSheets({ October: [['Closed']], November: days });
    expect(parts).toContain('prose: Days worked: 2');
    expect(parts.indexOf('prose: Days worked: 2')).toBe(parts.indexOf('h2: November') + 1);
    const prices = [['Plant', 'Price'], ['Box', 3], ['Yew', 9], [], ['Prices until', 'May']];
    expect((await ofSheets({ Sheet1: prices }))[0]).toBe('prose: Prices until: May');
  });

  it('is a line right below the rows, too, if its name stands where they have none', async () => {
    const days = [
      ['Date', 'Hours', 'Task'],
      ['2026-11-02', 8, 'survey'],
      ['2026-11-03', 9, 'office'],
      ['Hours in all', 17],
    ];
    expect((await ofSheets({ Sheet1: days }))[0]).toBe('prose: Hours in all: 17');
    const offer = [
      ['Pos.', 'Work', 'Price', 'Sum'],
      [1, 'Gravel', shown(4.5, '0.00" €"'), 540],
      [2, 'Turf', shown(8, '0.00" €"'), 640],
      [null, null, 'Net', 1180],
      [null, null, '19 % VAT', 224.2],
    ];
    expect((await ofSheets({ Sheet1: offer })).slice(0, 2)).toEqual(['list: - Net: 1180', 'list: - 19 % VAT: 224.2']);
    const named = [
      ['Plant', 'Price', 'Pot'],
      ['Box', 3, 'P1'],
      ['Yew', 9, 'P2'],
      ['In all', 12],
    ];
    expect((await ofSheets({ Sheet1: named })).at(-1)).toBe('prose: plant: In all; price: 12.');
  });

  it('is a row where it has the kinds of values that rows have', async () => {
    const rows = [['Plant', 'Price'], ['Box', 3], ['Yew', 9], [], ['Total', 12]];
    expect((await ofSheets({ Sheet1: rows })).slice(-2)).toEqual(['h2: Total', 'prose: plant: Total; price: 12.']);
  });

  it('is of none of the sections of the table, if no title opens it', async () => {
    const rows = [
      ['Budget'],
      [],
      ['Position', 'Planned', 'Actual'],
      ['INCOME'],
      ['Fees', 20, 30],
      ['Sales', 5, 4],
      [],
      ['COSTS'],
      ['Rent', 9, 9],
      ['Light', 3, 2],
      [],
      ['Result', 13, 23],
    ];
    const parts = await ofSheets({ Plan: rows, Other: [['x']] });
    expect(parts.slice(0, 3)).toEqual(['h2: Plan', 'list: - position: Result; planned: 13; actual: 23.', 'h3: Budget']);
    expect(parts).toEqual(expect.arrayContaining(['h4: INCOME', 'h5: Fees', 'h4: COSTS', 'h5: Light']));
  });
});

it('names and values above a table are a form, also with an abbreviation and a code among them', async () => {
  const rows = [
    ['Offer no.', 'A-2026-31'],
    ['Client', 'Hanna Sommer'],
    ['Date', '2026-10-05'],
    [],
    ['Pos.', 'Work', 'Price'],
    [1, 'Gravel', 540],
    [2, 'Turf', 640],
  ];
  expect((await ofSheets({ Sheet1: rows }))[0]).toBe(
    'prose: offer no.: A-2026-31; client: Hanna Sommer; date: 2026-10-05.',
  );
});
