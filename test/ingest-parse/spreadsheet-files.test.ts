import { CFB, read, write } from '@e965/xlsx';
import { describe, expect, it } from '@jest/globals';
import { parse } from '../../src/ingest/parse/parse.js';
import { openDocument, partsOf, type Sheet, shown, spreadsheet, workbook } from './workbooks.js';

const stock: Sheet = {
  rows: [
    ['Name', 'Price', 'Since'],
    ['Käsemesser', 89.5, shown(46_186, 'm/d/yy')],
    ['Pan', 45, shown(46_187, 'm/d/yy')],
  ],
};
const lines = [
  'h2: Käsemesser',
  'prose: price: 89.5; since: 2026-06-13.',
  'h2: Pan',
  'prose: price: 45; since: 2026-06-14.',
];

it.each(['xlsx', 'xlsm', 'xlsb', 'biff8', 'xlml'] as const)('a workbook is read as it stands: %s', async (type) => {
  expect(await partsOf(workbook({ Sheet1: stock }, type))).toEqual(lines);
});

it('an old workbook is read in its code page', async () => {
  const bytes = workbook(
    {
      Sheet1: {
        rows: [
          ['Name', 'Price'],
          ['ABCDEF', 3],
          ['Pan', 4],
        ],
      },
    },
    'biff5',
  );
  Buffer.from('cceeebeeeaee', 'hex').copy(bytes, bytes.indexOf('ABCDEF'));
  bytes.writeUInt16LE(1251, bytes.indexOf(Buffer.from([0x42, 0, 2, 0])) + 4);
  expect(await partsOf(bytes, 'stock.xls')).toContain('h2: Молоко');
});

describe('a file that is called a spreadsheet', () => {
  it.each([
    ['a page', '<html><body><table><tr><th>Name<th>Price<tr><td>Pan<td>45</table>'],
    ['a page with a mark', '\ufeff\n<table><tr><td>Name<td>Price<tr><td>Pan<td>45</table>'],
    ['tabs', 'Name\tPrice\nPan\t45\n'],
    ['semicolons', 'Name;Price\nPan;45\n'],
  ])('is read as what it is: %s', async (_, text) => {
    const { parts } = await parse(spreadsheet(Buffer.from(text), 'export.xls'));
    expect(parts.map((part) => part.text).join(' ')).toMatch(/Pan.*45/su);
  });

  it('is read in UTF-16, as "Unicode text" is saved', async () => {
    const bytes = Buffer.from('\ufeffName\tPrice\nKäsemesser\t45\nPan\t4\n', 'utf16le');
    expect(await partsOf(bytes, 'export.xls')).toContain('h2: Käsemesser');
  });

  it.each([
    ['bytes', Buffer.from([0, 1, 2, 255, 0, 9, 8, 0])],
    ['a web archive', Buffer.from('MIME-Version: 1.0\nX; y\n')],
    ['words', Buffer.from('Just words.')],
  ])('is refused where it is none: %s', async (_, bytes) => {
    await expect(parse(spreadsheet(bytes, 'export.xls'))).rejects.toMatchObject({
      code: 'unsupported_media',
      message: 'export.xls is no spreadsheet file; say source_type if it is another.',
    });
  });

  it.each([
    ['cut off', workbook({ Sheet1: stock }).subarray(0, 900)],
    ['no workbook', Buffer.from('PK\u0003\u0004 and words')],
    ['another archive', openDocument('').subarray(0, 99)],
  ])('is refused where it is damaged: %s', async (_, bytes) => {
    await expect(parse(spreadsheet(bytes))).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('stock.xlsx is not a readable spreadsheet file: damaged'),
    });
  });

  it('is refused where it is empty', async () => {
    await expect(parse(spreadsheet(workbook({ Sheet1: { rows: [] } })))).rejects.toThrow(
      'stock.xlsx holds no text; there is nothing to ingest.',
    );
  });

  it('is refused where only its password opens it', async () => {
    const locked = CFB.utils.cfb_new();
    CFB.utils.cfb_add(locked, '/EncryptionInfo', Buffer.alloc(64));
    CFB.utils.cfb_add(locked, '/EncryptedPackage', Buffer.alloc(64));
    const manifest = '<manifest:file-entry><manifest:encryption-data/></manifest:file-entry>';
    for (const bytes of [CFB.write(locked, { type: 'buffer' }) as Buffer, openDocument('', { manifest })])
      await expect(parse(spreadsheet(bytes))).rejects.toMatchObject({
        code: 'invalid_input',
        message: 'stock.xlsx is protected by a password; save it without the password.',
      });
  });
});

it('hidden sheets of OpenDocument are left out', async () => {
  const styles = '<style:style style:name="ta2"><style:table-properties table:display="false"/></style:style>';
  const rows = '<table:table-row><table:table-cell><text:p>Old</text:p></table:table-cell></table:table-row>';
  const bytes = openDocument(rows, { styles, of: 'table:style-name="ta2"' });
  await expect(parse(spreadsheet(bytes, 'a.ods'))).rejects.toThrow('One hidden sheet is left out');
});

it('a sheet without a part in the archive is said to be left out', async () => {
  const book = read(workbook({ Goods: stock, Other: stock }), { type: 'buffer' });
  const archive = CFB.read(write(book, { type: 'buffer', bookType: 'xlsx' }), { type: 'buffer' });
  CFB.utils.cfb_del(archive, '/xl/worksheets/sheet2.xml');
  const bytes = CFB.write(archive, { type: 'buffer', fileType: 'zip' }) as Buffer;
  const { notice } = await parse(spreadsheet(bytes));
  expect(notice).toBe('One sheet is left out that cannot be read; save the file anew.');
});
