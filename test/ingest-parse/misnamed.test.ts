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
  ['rules.md', text, 'is an ODT file by what it holds; name it so, or say source_type odt.'],
  ['rules.txt', Buffer.from('%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\n'), 'is a PDF file by what it holds'],
  ['note.md', Buffer.from('\ufeff%PDF-1.4\n1 0 obj\n'), 'is a PDF file by what it holds'],
  ['note.txt', Buffer.from('%PDF-1.4\r\n%\u00e2\u00e3\r\n', 'latin1'), 'is a PDF file by what it holds'],
  ['talk.pptx', slides.subarray(0, 60), 'is not a readable presentation file'],
])('a file that is called otherwise than what it holds is told so: %s, %#', async (name, bytes, said) => {
  await expect(parse({ name, type: documentType(name), bytes })).rejects.toThrow(`${name} ${said}`);
});

const RTF = '{\\rtf1\\ansi\\deff0 {\\fonttbl {\\f0 Times;}}\\f0 Rinse the filter.\\par }';

it.each([
  ['rules.txt', RTF, 'is RTF by what it holds; save it as DOCX, PDF or plain text.'],
  ['rules.md', `\n${RTF}`, 'is RTF by what it holds; save it as DOCX, PDF or plain text.'],
  ['rules.csv', RTF, 'is RTF by what it holds'],
  ['rules.html', RTF, 'is RTF by what it holds'],
  ['rules.docx', RTF, 'is RTF by what it holds'],
  ['rules.txt', '{\\rtf1\n\\ansi Rinse.}', 'is RTF by what it holds'],
  ['logo.txt', '%!PS-Adobe-3.0 EPSF-3.0\r\n%%Title: rules\n', 'is PostScript by what it holds'],
  ['rules.txt', '%!PS-Adobe-3.0\n%%Title: rules\n', 'is PostScript by what it holds; save it as PDF.'],
])('a format that is not read is told as one, however it is called: %s, %#', async (name, written, said) => {
  const bytes = Buffer.from(written);
  await expect(parse({ name, type: documentType(name), bytes })).rejects.toThrow(`${name} ${said}`);
});

it.each([
  'RTF files begin with {\\rtf1.',
  'A PDF begins with %PDF-1.7.',
  '{\\rtfm} is no mark of it',
  '%PDF is a sign',
  '%PDF-1.4 is the header of a PDF.',
  '%PDF-1.7\nThis is its first line.',
  '{\\rtf1 is how RTF begins.',
  '%!PS-Adobe-3.0 is how PostScript begins.',
])('a text that speaks of a format is read: %s', async (written) => {
  const { parts } = await parse({ name: 'a.txt', type: 'text', bytes: Buffer.from(written) });
  expect(parts.map(({ text }) => text).join()).toContain(written);
});

it.each([
  ['utf16le', 'little'],
  ['utf16be', 'big'],
])('UTF-16 without its mark is told as such: %s', async (_name, order) => {
  const little = Buffer.from('Rinse the filter.\nNever run it dry; käse.', 'utf16le');
  const bytes = order === 'little' ? little : Buffer.from(little).swap16();
  await expect(parse({ name: 'a.txt', type: 'text', bytes })).rejects.toThrow(
    'The file looks like UTF-16 without the mark of its encoding; save it in UTF-8 and ingest it again.',
  );
});

it('bytes that are no words are no UTF-16', async () => {
  for (const written of ['\0\u0001', '\0\u0001\0\u0002'.repeat(99), 'a\0b\0'])
    await expect(parse({ name: 'a.txt', type: 'text', bytes: Buffer.from(written) })).rejects.toThrow('binary data');
});

it('an empty workbook is left out as an empty text is', async () => {
  const bytes = workbook({ Sheet1: { rows: [] } });
  await expect(parse({ name: 'new.xlsx', type: 'spreadsheet', bytes })).rejects.toMatchObject({
    message: 'new.xlsx holds no text; there is nothing to ingest.',
    details: { empty: true },
  });
});
