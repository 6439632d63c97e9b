import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import PDFDocument from 'pdfkit';
import { htmlParts } from '../../src/ingest/parse/html.js';
import { parse } from '../../src/ingest/parse/parse.js';
import { processorTime } from '../support/processor-time.js';
import { fileManifest } from './manifests.js';

const at = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const manifest = async (path: string) => fileManifest(at(path));

type Document = InstanceType<typeof PDFDocument>;
function pdf(
  draw: (document: Document) => void,
  options: ConstructorParameters<typeof PDFDocument>[0] = {},
): Promise<Buffer> {
  const document = new PDFDocument(options);
  const chunks: Buffer[] = [];
  document.on('data', (chunk: Buffer) => chunks.push(chunk));
  draw(document);
  document.end();
  return new Promise((resolve) => document.on('end', () => resolve(Buffer.concat(chunks))));
}

const parsePdf = (bytes: Buffer) => parse({ bytes, name: 'a.pdf', type: 'pdf' });

describe('PDF', () => {
  it('reads the handbook as its Markdown reads', async () => {
    const [fromPdf, fromMarkdown] = [await manifest('samples/handbook.pdf'), await manifest('samples/handbook.md')];
    expect(fromPdf.passages.map(({ title, text }) => ({ title, text }))).toEqual(
      fromMarkdown.passages.map(({ title, text }) => ({ title, text })),
    );
    expect(fromPdf.rules.map((rule) => rule.text)).toEqual(fromMarkdown.rules.map((rule) => rule.text));
  });

  it('leaves out running heads and page numbers, and joins what a page or a line divides', async () => {
    const bytes = await pdf((document) => {
      for (let page = 1; page <= 4; page += 1) {
        if (page > 1) document.addPage();
        document.fontSize(8).text(`The running head ${page}`, 72, 30);
        document.fontSize(11).text(`On page ${page} the keeper counts the appli-`, 72, 120, { lineBreak: false });
        document.text('cations of the year', 72, 134, { lineBreak: false });
        document.fontSize(8).text(String(page), 300, 740, { lineBreak: false });
      }
    });
    const parts = [...(await parsePdf(bytes)).parts];
    expect(parts.map((part) => part.text)).toEqual([
      'On page 1 the keeper counts the applications of the year On page 2 the keeper counts the applications of the year On page 3 the keeper counts the applications of the year On page 4 the keeper counts the applications of the year',
    ]);
  });

  it('leaves out a small line with the number of the page on two pages, and no heading with one', async () => {
    const bytes = await pdf((document) => {
      for (const page of [1, 2]) {
        if (page > 1) document.addPage();
        document.fontSize(18).text(`Week ${page + 4}`, 72, 30, { lineBreak: false });
        document.fontSize(11).text(`The boards stand ${page}50 m above the sill.`, 72, 120, { lineBreak: false });
        document.fontSize(8).text(`Plan of 2026 – page ${page}`, 72, 760, { lineBreak: false });
        document.text(`Room ${page * 7}`, 300, 30, { lineBreak: false });
      }
    });
    const texts = [...(await parsePdf(bytes)).parts].map((part) => part.text);
    expect(texts.filter((text) => text.includes('Plan'))).toEqual([]);
    for (const text of ['Week 5', 'Week 6', 'Room 7', 'Room 14']) expect(texts.join('\n')).toContain(text);
  });

  it('refuses one without text and one with a password', async () => {
    const drawn = await pdf((document) => document.rect(10, 10, 100, 100).fill('red'));
    await expect(parsePdf(drawn)).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('no text'),
    });
    const locked = await pdf((document) => document.text('secret'), { userPassword: 'x' });
    await expect(parsePdf(locked)).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('password'),
    });
  });

  it('stops when the call is cancelled', async () => {
    const bytes = await readFile(at('samples/handbook.pdf'));
    const controller = new AbortController();
    const reading = parse({ bytes, name: 'a.pdf', type: 'pdf' }, controller.signal);
    controller.abort(new Error('enough'));
    await expect(reading).rejects.toThrow('enough');
  });
});

const expected = (row: string, above = '') => [
  {
    title: `${above}Orchard Guide`,
    text: expect.stringMatching(/^The orchard has forty apple trees .* near the gate\.$/u),
  },
  { title: `${above}Orchard Guide > Pruning`, text: expect.stringContaining(row) },
];

describe('DOCX', () => {
  it('keeps headings, list items and table rows', async () => {
    const { passages } = await manifest('test/fixtures/documents/orchard.docx');
    expect(passages).toMatchObject(expected('- Cut above a bud.\n\n| Variety | Row |\n| Discovery | North |'));
  });
});

describe('HTML', () => {
  it('keeps headings, list items, code and table rows, without navigation, scripts and what is hidden', async () => {
    const { passages, rules } = await manifest('test/fixtures/documents/orchard.html');
    const list = '- Clean the saw.\n- Cut above a bud.\n  1. Never leave a stub.';
    expect(passages).toMatchObject(expected(list, 'Orchard pages > '));
    expect(passages[1]?.text).toContain('# not a heading\nsaw --sharpen');
    expect(JSON.stringify(passages)).not.toMatch(/Home|secret|green|hidden|Copyright/u);
    expect(rules.map((rule) => rule.text)).toEqual([
      'Prune the trees in late winter, before the buds swell.',
      'Clean the saw.',
      'Cut above a bud.',
      'Never leave a stub.',
    ]);
  });

  it.each([
    ['values', '<dl><dt>Tenant<dd>Ada<dt>Balance:</dt>\n<dd>905</dl>', ['Tenant: Ada', 'Balance: 905']],
    ['groups', '<dl><div><dt>Who?</dt><dd>Ada</dd></div></dl>After', ['Who? Ada', 'After']],
    ['paragraphs', '<dl><dt>Term</dt><dd>\n<p>One.</p><p>Two.</p></dd></dl>', ['Term: One.', 'Two.']],
    ['several', '<dl><dt>A<dt>B<dd>x<dd>y<dt>C<dd><dt>D</dl>', ['A', 'B: x', 'y', 'C', 'D']],
    ['nothing', '<dl><dt>--force</dt><dd> </dd><dt>--all</dt><dd></dd></dl>', ['--force', '--all']],
    [
      'nothing in elements',
      '<dl><dt>A</dt><dd><p></p></dd><dt>B</dt><dd><div>\n<p>&nbsp;<br></p></div><p> </p></dd><dt>C:</dt><dd><ul><li></li></ul></dd><dt>D<dd><table><tr><td></table></dl>',
      ['A', 'B', 'C:', 'D'],
    ],
    [
      'an empty element first',
      '<dl><dt>A</dt><dd><p></p><p>x</p></dd><dt>B</dt><dd><p></p><ul><li>y</ul></dd></dl>',
      ['A: x', 'B:', '- y'],
    ],
    ['nothing in an item', '<ul><li><dl><dt>A</dt><dd><p></p></dd></dl></ul>', ['- A']],
    ['a list', '<dl><dt>Keys</dt><dd><ul><li>two</ul></dl><p>End', ['Keys:', '- two', 'End']],
    ['a cell', '<table><tr><td><dl><dt>Rent<dd>980</dl><td>x</table>', ['| Rent: 980 | x |']],
  ])('joins terms and what is said of them: %s', async (_, page, texts) => {
    const parsed = await parse({ bytes: Buffer.from(page), name: 'a.html', type: 'html' });
    expect(parsed.parts.map((part) => part.text)).toEqual(texts);
  });

  it('has what the page says of itself below its first heading, unless its text says it', async () => {
    const of = 'How to prune an orchard, and when to do it.';
    const textsOf = async (body: string, said = of) => {
      const page = `<head><title>Pruning</title><meta name="Description" content="${said}"></head><body>${body}</body>`;
      const { parts } = await parse({ bytes: Buffer.from(page), name: 'a.html', type: 'html' });
      return parts.map((part) => part.text);
    };
    expect(await textsOf('<main><h1>Pruning</h1><p>Saw.</p></main>')).toEqual(['Pruning', of, 'Saw.']);
    expect(await textsOf('<p>Saw.')).toEqual([of, 'Saw.']);
    expect(await textsOf('<h1>Pruning</h1><p>How to <b>prune</b> an orchard, and when to do it! Saw.')).toEqual([
      'Pruning',
      'How to prune an orchard, and when to do it! Saw.',
    ]);
    expect(await textsOf('<p>Saw.', 'Orchard pages')).toEqual(['Saw.']);
    expect(await textsOf('<p>Saw.', `${'word '.repeat(199)}longerword`)).toEqual(['word '.repeat(199).trim(), 'Saw.']);
    await expect(textsOf('')).rejects.toThrow('holds no text');
  });

  it('reads a cell of many terms in linear time', async () => {
    const page = `<table><tr><td>${'<dt>a</dt><dd>b</dd>'.repeat(60_000)}</table>`;
    const spent = await processorTime(() => expect([...htmlParts(page).parts]).toHaveLength(1));
    expect(spent).toBeLessThan(3000);
  });

  it('reads a definition of many empty elements in linear time', async () => {
    const page = `<dl><dt>${'A '.repeat(4900)}</dt><dd>${'<p> </p>'.repeat(130_000)}`;
    const spent = await processorTime(() => expect([...htmlParts(page).parts]).toHaveLength(1));
    expect(spent).toBeLessThan(5000);
  });

  it('takes the page title where the page has no heading', async () => {
    const parsed = await parse({
      bytes: Buffer.from('<title>Orchard</title><p>Apples.<div>Pears</div>'),
      name: 'a.html',
      type: 'html',
    });
    expect(parsed.title).toBe('Orchard');
    expect([...parsed.parts].map((part) => part.text)).toEqual(['Apples.', 'Pears']);
  });
});
