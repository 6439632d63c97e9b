import { describe, expect, it } from '@jest/globals';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { dateOf } from '../../src/ingest/parse/spreadsheet/serial-dates.js';
import { type Cell, noted, openDocument, partsOf, shown, workbook, worksheet } from './workbooks.js';

/** Returns the text of a cell below the name "Oak". */
async function cell(value: Cell, date1904 = false) {
  const rows = [
    ['Name', 'Value', 'Other'],
    ['Oak', value, 7],
    ['Elm', null, 8],
  ];
  const parts = await partsOf(workbook({ Sheet1: { rows } }, 'xlsx', date1904));
  return /^prose: (?:value: (.*); )?other: 7\.$/su.exec(parts[1] ?? '')?.[1] ?? '';
}

describe('a cell of a spreadsheet', () => {
  it.each<[string, Cell, string]>([
    ['an amount as the sheet shows it', shown(1234.5, '#,##0.00 "€"'), '1,234.50 €'],
    ['a share', shown(0.05, '0%'), '5%'],
    ['a code with its leading zeros', shown(42, '00000'), '00042'],
    ['an amount between blanks', shown(12.5, '_-* #,##0.00\\ "€"_-'), '12.50 €'],
    ['a number without noise', 0.1 + 0.2, '0.3'],
    ['all digits of a long number', 4006381333931, '4006381333931'],
    ['all digits of one in the scientific notation', shown(12_345_678_901, '0.00E+00'), '12345678901'],
    ['a day as ISO', shown(46_186, 'dd.mm.yyyy'), '2026-06-13'],
    ['a day with its time', shown(46_186.604_166_67, 'd/m/yy h:mm'), '2026-06-13 14:30'],
    ['a day alone at midnight', shown(46_186, 'd/m/yy h:mm'), '2026-06-13'],
    ['a day alone where the sheet shows no time', shown(46_186.604, 'yyyy-mm-dd'), '2026-06-13'],
    ['a time alone', shown(0.604_166_666_7, 'h:mm AM/PM'), '14:30'],
    ['hours that are no time of the day', shown(1.104_166_666_7, '[h]:mm'), '26:30'],
    ['minutes and seconds as the sheet shows them', shown(330 / 86_400, 'mm:ss'), '05:30'],
    ['a number below zero as the sheet shows it', shown(-12.5, '0.00'), '-12.50'],
    ['a text that looks like a date', '06/05/2026', '06/05/2026'],
    ['a number that is stored as text', '0042.50', '0042.50'],
    ['a month', shown(46_186, 'mmm yyyy'), '2026-06'],
    ['yes and no', true, 'yes'],
    ['nothing for an error', { t: 'e', v: 42 }, ''],
    ['a text as it stands', ' 007 ', '007'],
  ])('says %s', async (_, value, text) => {
    expect(await cell(value)).toBe(text);
  });

  it('says the day of workbooks that count from 1904', async () => {
    expect(await cell(shown(46_186 - 1462, 'yyyy-mm-dd'), true)).toBe('2026-06-13');
    // The last day of the year 9999, and the day after.
    expect([2_957_003, 2_957_004].map((value) => dateOf(value, 'yyyy-mm-dd', true))).toEqual(['9999-12-31', undefined]);
  });

  it.each([
    [31, 46_186, '2026-06-13'],
    [57, 46_186, '2026-06-13'],
    [33, 0.604_166_666_7, '14:30'],
    [59, 46_186, '46186'],
  ])(
    'says the day or time of format %i, which East Asian files do not write out, also in the first cell',
    async (id, value, text) => {
      const rows = [
        ['Name', 'Value'],
        ['Oak', shown(value, '"x"0')],
        ['Elm', shown(value, '"x"0')],
      ];
      const entries = unzipSync(workbook({ Sheet1: { rows } }));
      const styles = strFromU8(entries['xl/styles.xml']!);
      const [, own = ''] = /numFmtId="(\d+)" formatCode="&quot;x/u.exec(styles) ?? [];
      const implicit = styles.replace(/<numFmts.*<\/numFmts>/su, '').replaceAll(`"${own}"`, `"${id}"`);
      const file = zipSync({ ...entries, 'xl/styles.xml': strToU8(implicit) });
      expect((await partsOf(file)).filter((part) => part.startsWith('prose'))).toEqual(
        Array(2).fill(`prose: value: ${text}.`),
      );
    },
  );

  it('says its comment with the row, and one on a head before the rows', async () => {
    const rows = [
      ['Name', noted('Weight', 'Owner:\nwithout packing')],
      ['Oak', noted(45, 'Weighed on Monday')],
      ['Elm', 7],
    ];
    expect(await partsOf(workbook({ Sheet1: { rows } }))).toEqual([
      'prose: Weight: without packing',
      'h2: Oak',
      'prose: weight: 45; Comment: Weighed on Monday.',
      'h2: Elm',
      'prose: weight: 7.',
    ]);
  });
});

it.each([
  ['General', undefined],
  ['0.00', undefined],
  ['"d"0', undefined],
  ['[$-407]d. mmmm yyyy;@', '2026-06-13'],
  ['[Red]yyyy/m/d', '2026-06-13'],
  ['mm:ss', undefined],
  ['h:mm:ss', '14:30'],
  ['d/m/yy h:mm:ss', '2026-06-13 14:30'],
  ['yyyy', '2026'],
  ['dddd', undefined],
  ['m'.repeat(100_000), undefined],
])('a format tells whether a number is a date: %#', (format, text) => {
  expect(dateOf(46_186.604_166_67, format, false)).toBe(text);
});

it('numbers that no calendar has are no dates', () => {
  expect([-1, 3e6].map((value) => dateOf(value, 'yyyy-mm-dd', false))).toEqual([undefined, undefined]);
  expect([1, 59, 61].map((value) => dateOf(value, 'yyyy-mm-dd', false))).toEqual([
    '1900-01-01',
    '1900-02-28',
    '1900-03-01',
  ]);
});

describe('formulas without values', () => {
  const head = '<row r="1"><c r="A1" t="inlineStr"><is><t>Name</t></is></c></row>';
  const notices = async (bytes: Buffer) => {
    const { parse } = await import('../../src/ingest/parse/parse.js');
    return (await parse({ type: 'spreadsheet', name: 'a.xlsx', bytes })).notice;
  };

  it.each([
    ['no value', '<c r="A2"><f>SUM(B1:B2)</f></c>', true],
    ['an empty one', '<c r="A2"><f>SUM(B1:B2)</f><v></v></c>', true],
    ['an empty text', '<c r="A2" t="str"><f>IF(B1,B1,"")</f><v></v></c>', false],
    ['a value', '<c r="A2"><f>SUM(B1:B2)</f><v>3</v></c>', false],
  ])('are said: %s', async (_, formula, isSaid) => {
    const notice = await notices(worksheet(`<sheetData>${head}<row r="2">${formula}</row></sheetData>`));
    expect(notice?.includes('formulas have no values') ?? false).toBe(isSaid);
  });

  it('are said where a file holds nothing else', async () => {
    const sheet = worksheet('<sheetData><row r="2"><c r="A2"><f>SUM(B1:B2)</f></c></row></sheetData>');
    await expect(notices(sheet)).rejects.toThrow('a.xlsx holds no text. Some of its formulas have no values');
  });
});

it('cells of OpenDocument say the same', async () => {
  const text = (value: string) => `<table:table-cell><text:p>${value}</text:p></table:table-cell>`;
  const typed = (attributes: string, value: string, more = '') =>
    `<table:table-cell ${attributes}>${more}<text:p>${value}</text:p></table:table-cell>`;
  const row = (...cells: string[]) => `<table:table-row>${cells.join('')}</table:table-row>`;
  const columns = ['Name', 'Day', 'At', 'Time', 'Price', 'EAN', 'Sold', 'Sum', 'Text'];
  const values = [
    text('Oak<text:s text:c="2"/>table'),
    typed('office:value-type="date" office:date-value="2026-06-13"', '13.06.26'),
    typed('office:value-type="date" office:date-value="2026-06-13T14:30:00"', '13.06.26 14:30'),
    typed('office:value-type="time" office:time-value="PT06H30M00S"', '06:30'),
    typed('office:value-type="currency" office:value="12.5"', '12,50 €'),
    typed('office:value-type="float" office:value="4006381333931"', '4.00638E+12'),
    typed('office:value-type="boolean" office:boolean-value="true"', 'WAHR'),
    typed('office:value-type="string" table:formula="of:=NA()"', '#N/A'),
    typed(
      '',
      'a &amp; b',
      '<office:annotation><dc:creator>Owner</dc:creator><text:p>Ask Bo</text:p></office:annotation>',
    ),
  ];
  const other = row(text('Elm'), ...Array(8).fill(text('7')));
  expect(await partsOf(openDocument(row(...columns.map(text)) + row(...values) + other), 'a.ods')).toEqual([
    'h2: Oak table',
    'prose: day: 2026-06-13; at: 2026-06-13 14:30; time: 06:30; price: 12,50 €; EAN: 4006381333931; sold: yes; text: a & b; Comment: Ask Bo.',
    'h2: Elm',
    'prose: day: 7; at: 7; time: 7; price: 7; EAN: 7; sold: 7; sum: 7; text: 7.',
  ]);
});
