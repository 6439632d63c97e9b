import { deflateSync } from 'node:zlib';
import { zipSync } from 'fflate';
import PDFDocument from 'pdfkit';

/** A PDF of one page with the given content stream and page tree, without cross-reference table. */
function pdfOf(content: Buffer, { filter = '', kids = '3 0 R', count = 1 } = {}): Buffer {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${count} >>`,
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
  ];
  const head = objects.map((body, i) => `${i + 1} 0 obj\n${body}\nendobj\n`).join('');
  return Buffer.concat([
    Buffer.from(`%PDF-1.4\n${head}4 0 obj\n<< /Length ${content.length}${filter} >>\nstream\n`),
    content,
    Buffer.from(
      '\nendstream\nendobj\n5 0 obj\n<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>\nendobj\ntrailer\n<< /Root 1 0 R >>\n%%EOF\n',
    ),
  ]);
}

const SHOW = '\nBT /F1 12 Tf 72 700 Td (The keeper counts the trees.) Tj ET\n';

/** A stream that saves the graphics state, and never restores it. */
export const pdfOfNestedStates = (times: number): Buffer => pdfOf(Buffer.from('q '.repeat(times) + SHOW));

/** One page, listed many times. */
export const pdfOfOnePageManyTimes = (times: number): Buffer =>
  pdfOf(Buffer.from(SHOW), { kids: '3 0 R '.repeat(times), count: times });

/** A page tree that says it has many pages, in a few hundred bytes. */
export const pdfOfClaimedPages = (count: number): Buffer => pdfOf(Buffer.from(SHOW), { count });

/** A font that lists the widths of very many characters, in a few hundred bytes. */
export function pdfOfWidths(characters: number): Buffer {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${SHOW.length} >>\nstream\n${SHOW}\nendstream`,
    '<< /Type /Font /Subtype /Type0 /BaseFont /A /Encoding /Identity-H /DescendantFonts [6 0 R] >>',
    `<< /Type /Font /Subtype /CIDFontType2 /BaseFont /A /FontDescriptor 7 0 R /W [0 ${characters} 500] /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> >>`,
    '<< /Type /FontDescriptor /FontName /A /Flags 4 >>',
  ];
  const body = objects.map((object, i) => `${i + 1} 0 obj\n${object}\nendobj\n`).join('');
  return Buffer.from(`%PDF-1.4\n${body}trailer\n<< /Root 1 0 R >>\n%%EOF\n`);
}

/** A line that looks like a row of a table of contents until its end. */
export const pdfOfDots = (dots: number): Buffer =>
  pdfOf(Buffer.from(`BT /F1 0.001 Tf 72 400 Td (word ${'.'.repeat(dots)} word) Tj ET`));

/** Lines of one paragraph. */
export function pdfOfLines(count: number): Buffer {
  const lines = Array.from({ length: count }, (_, i) => `(line ${i}) Tj T*`);
  return pdfOf(Buffer.from(`BT /F1 12 Tf 12 TL 72 700 Td ${lines.join(' ')} ET`));
}

/** A content stream of white space, compressed to a thousandth, layer on layer. */
export function pdfBomb(bytes: number, layers = 1): Buffer {
  let content: Buffer = Buffer.concat([Buffer.alloc(bytes, ' '), Buffer.from(SHOW)]);
  for (let i = 0; i < layers; i += 1) content = deflateSync(content);
  return pdfOf(content, { filter: ` /Filter [${'/FlateDecode '.repeat(layers)}]` });
}

/** A valid PDF of many short pages. */
export function pdfOfPages(pages: number): Promise<Buffer> {
  const document = new PDFDocument({ autoFirstPage: false });
  const chunks: Buffer[] = [];
  document.on('data', (chunk: Buffer) => chunks.push(chunk));
  for (let page = 0; page < pages; page += 1) document.addPage().text(`Page ${page} says so.`);
  document.end();
  return new Promise((resolve) => document.on('end', () => resolve(Buffer.concat(chunks))));
}

const TYPES =
  '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>';
const RELATIONS =
  '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>';

/** A DOCX with the given body, and further entries. */
export function docxOf(body: string, more: Record<string, Uint8Array> = {}): Buffer {
  const text = (written: string) => new TextEncoder().encode(written);
  const files = {
    '[Content_Types].xml': text(TYPES),
    '_rels/.rels': text(RELATIONS),
    'word/document.xml': text(
      `<?xml version="1.0"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`,
    ),
    ...more,
  };
  return Buffer.from(zipSync(files, { level: 1 }));
}

/** A valid DOCX of many paragraphs. */
export function docxOfParagraphs(count: number): Buffer {
  let body = '';
  for (let i = 0; i < count; i += 1) body += `<w:p><w:r><w:t>Paragraph ${i} of the report.</w:t></w:r></w:p>`;
  return docxOf(body);
}

/** A DOCX whose style sheet unpacks to `bytes` zeros. */
export const docxBomb = (bytes: number): Buffer =>
  docxOf('<w:p><w:r><w:t>Words.</w:t></w:r></w:p>', { 'word/styles.xml': new Uint8Array(bytes) });

/** A DOCX of very many small entries. */
export function docxOfEntries(count: number): Buffer {
  const empty = new Uint8Array();
  return docxOf(
    '<w:p><w:r><w:t>Words.</w:t></w:r></w:p>',
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`word/media/${i}.png`, empty])),
  );
}

const filled = (unit: string, length: number): string => unit.repeat(Math.ceil(length / unit.length)).slice(0, length);

/** Hostile texts of about `length` characters, by name. */
export const hostileMarkdown: Readonly<Record<string, (length: number) => string>> = {
  'opening brackets': (length) => filled('[', length),
  'opening brackets and a link': (length) => `${filled('[', length)}](a)`,
  'images that never close': (length) => filled('![a](', length),
  'emphasis that never closes': (length) => filled('*a_ ', length),
  'nested brackets': (length) => filled('[', length / 2) + filled(']', length / 2),
  'nested quotes': (length) => filled('> ', length),
  'nested lists': (length) => filled('- ', length),
  'runs of backticks': (length) => Array.from({ length: Math.sqrt(2 * length) }, (_, i) => '`'.repeat(i)).join('a'),
  'tags that never close': (length) => filled('<a ', length),
  'comments that never close': (length) => filled('<!-- ', length),
  'short lines': (length) => filled('a\n', length),
  'empty lines': (length) => `${filled('\n', length)}a`,
  'white space': (length) => `a${filled(' ', length)}a`,
  'headings alone': (length) => filled('# a\n', length),
  'short paragraphs': (length) => filled('a\n\n', length),
  'list items': (length) => filled('- item\n', length),
  'one long word': (length) => filled('a', length),
  bars: (length) => filled('|', length),
  'a table of many columns': (length) =>
    `${filled('a|', length / 4)}\n${filled('-|', length / 4)}\n${filled('x\n', length / 4)}`,
  definitions: (length) => filled('[a]: b\n', length),
};

export const hostileHtml: Readonly<Record<string, (length: number) => string>> = {
  'a row of many cells': (length) => `<table><tr>${filled('<td>a', length)}`,
  'many rows': (length) => `<table>${filled('<tr><td>a</td></tr>', length)}`,
  'empty cells': (length) => `<table><tr><td>a${filled('<td>', length)}`,
  'attributes that never end': (length) => `a<p ${filled('a=b ', length)}`,
  entities: (length) => filled('&amp;', length),
  breaks: (length) => `a${filled('<br>', length)}a`,
  'white space': (length) => `<pre>a${filled(' ', length)}a`,
};

/** End tags that end nothing, within nested elements. */
export const strayEndTags = (count: number): string => `${'<b>'.repeat(1900)}${'</i>'.repeat(count)}words`;

/** Elements nested `depth` deep. */
export const nestedHtml = (depth: number): string => `${'<div>'.repeat(depth)}words${'</div>'.repeat(depth)}`;
