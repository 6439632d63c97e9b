import PDFDocument from 'pdfkit';
import { markdownParts } from '../src/ingest/parse/markdown.js';

const SIZES = [0, 17, 13.5, 11.5] as const;
const BODY = 9;

/** The handbook as a PDF: headings by size, paragraphs, lists, a page number at the foot. */
export async function handbookPdf(markdown: string): Promise<{ bytes: Buffer; pages: number }> {
  const document = new PDFDocument({
    size: 'A4',
    margins: { top: 48, bottom: 54, left: 60, right: 60 },
    bufferPages: true,
    info: { Title: 'Tern Parcel Operations Handbook', CreationDate: new Date('2026-01-01T00:00:00Z') },
  });
  const chunks: Buffer[] = [];
  document.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise<void>((resolve) => document.on('end', () => resolve()));
  let before = '';
  for (const part of markdownParts(markdown)) {
    if (part.kind === 'heading') {
      const size = SIZES[part.level] ?? 10.5;
      document.moveDown(before === '' ? 0 : 0.45);
      document.font('Helvetica-Bold').fontSize(size).text(part.text).moveDown(0.15);
    } else if (part.kind === 'list') {
      document.font('Helvetica').fontSize(BODY);
      document.text(part.text.replace(/^-/u, '•'), { indent: 8, lineGap: 1 });
    } else {
      if (before === part.kind) document.moveDown(0.4);
      document.font('Helvetica').fontSize(BODY).text(part.text, { lineGap: 1 });
    }
    before = part.kind;
  }
  const { count } = document.bufferedPageRange();
  for (let page = 0; page < count; page += 1) {
    document.switchToPage(page);
    document.page.margins.bottom = 0;
    document
      .font('Helvetica')
      .fontSize(8)
      .text(String(page + 1), 60, 806, { width: 475, align: 'center', lineBreak: false });
  }
  document.end();
  await ended;
  return { bytes: Buffer.concat(chunks), pages: count };
}
