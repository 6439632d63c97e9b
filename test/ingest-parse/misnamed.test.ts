import { expect, it } from '@jest/globals';
import { parse } from '../../src/ingest/parse/parse.js';
import { documentType } from '../../src/ingest/read/file-type.js';
import { archiveOf } from './archives.js';
import { workbook } from './workbooks.js';

const book = workbook({
  Sheet1: {
    rows: [
      ['Name', 'Price'],
      ['Kettle', 89],
    ],
  },
});
const slides = archiveOf({ '[Content_Types].xml': '<x/>', 'ppt/presentation.xml': '<x/>' });
const text = archiveOf({ mimetype: 'application/vnd.oasis.opendocument.text', 'content.xml': '<x/>' });
const pdf = Buffer.from('%PDF-1.7\n\u0000\u0001');

it.each([
  ['stock.docx', book, 'is a spreadsheet file by what it holds; name it so, or say source_type spreadsheet.'],
  ['stock.txt', book, 'is a spreadsheet file by what it holds'],
  ['stock.csv', book, 'is a spreadsheet file by what it holds'],
  ['talk.xlsx', slides, 'is a presentation file by what it holds; name it so, or say source_type presentation.'],
  ['rules.docx', text, 'is an ODT file by what it holds; name it so, or say source_type odt.'],
  ['rules.docx', pdf, 'is a PDF file by what it holds; name it so, or say source_type pdf.'],
  ['talk.pptx', slides.subarray(0, 60), 'is not a readable presentation file'],
])('a file that is called otherwise than what it holds is told so: %s, %#', async (name, bytes, said) => {
  await expect(parse({ name, type: documentType(name), bytes })).rejects.toThrow(`${name} ${said}`);
});

it('an empty workbook is left out as an empty text is', async () => {
  const bytes = workbook({ Sheet1: { rows: [] } });
  await expect(parse({ name: 'new.xlsx', type: 'spreadsheet', bytes })).rejects.toMatchObject({
    message: 'new.xlsx holds no text; there is nothing to ingest.',
    details: { empty: true },
  });
});
