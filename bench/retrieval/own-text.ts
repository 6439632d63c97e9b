import { createWriteStream, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, extname, join } from 'node:path';
import PDFDocument from 'pdfkit';
import type { Ingest } from '../../src/ingest/ingest.js';

export const FOLDER = 'bench/retrieval/own-text';

/** A question about one kind of text. */
export interface OwnQuestion {
  readonly kind: string;
  readonly question: string;
  /** Words of each piece of evidence; empty where no document answers. */
  readonly evidence: readonly string[];
  /** True for the part that training and tuning never see. */
  readonly untouched: boolean;
}

/** Reads the questions of all kinds, in the order of the files. */
export function ownQuestions(folder = FOLDER): OwnQuestion[] {
  const untouched = JSON.parse(readFileSync(join(folder, 'untouched.json'), 'utf8')) as Record<
    string,
    { readonly answerable: readonly number[]; readonly unanswerable: readonly number[] }
  >;
  return readdirSync(join(folder, 'questions'))
    .sort()
    .flatMap((file) => {
      const kind = basename(file, '.txt');
      const [answerable = '', unanswerable = ''] = readFileSync(join(folder, 'questions', file), 'utf8').split(
        '\n---\n',
      );
      const parts = untouched[kind]!;
      return [
        ...linesOf(answerable).map((line, i) => {
          const [question = '', evidence = ''] = line.split(' => ');
          return { kind, question, evidence: evidence.split(' && '), untouched: parts.answerable.includes(i) };
        }),
        ...linesOf(unanswerable).map((question, i) => ({
          kind,
          question,
          evidence: [],
          untouched: parts.unanswerable.includes(i),
        })),
      ];
    });
}

/** Returns which pieces of evidence a text holds, as positions in `evidence`; letters and digits only are compared. */
export function evidenceIn(evidence: readonly string[], text: string): number[] {
  const letters = lettersOf(text);
  return evidence.flatMap((words, i) => (letters.includes(lettersOf(words)) ? [i] : []));
}

/** Ingests all documents into one domain: Markdown, a PDF, rows as concepts, turns as messages. `without`: a kind left out; `only`: the one that is read. */
export async function ingestOwnText(
  ingest: Ingest,
  domain: string,
  {
    folder = FOLDER,
    without,
    only,
  }: { readonly folder?: string; readonly without?: string; readonly only?: string } = {},
): Promise<void> {
  for (const file of readdirSync(join(folder, 'documents')).sort()) {
    const text = readFileSync(join(folder, 'documents', file), 'utf8');
    const kind = basename(file, extname(file));
    if (kind === without || (only !== undefined && kind !== only)) continue;
    if (kind === 'chat') await ingestChat(ingest, domain, text);
    else if (kind === 'shop') await ingestRows(ingest, domain, text);
    else if (kind === 'paper') await ingestPdf(ingest, domain, text);
    else await ingest.text({ text, domain, format: 'markdown', name: file });
  }
}

/** Ingests the documents into ten domains that have nothing to do with the other sets: all together, and each kind alone. */
export async function addUnrelated(ingest: Ingest, folder = FOLDER): Promise<void> {
  await ingestOwnText(ingest, 'unrelated');
  for (const file of readdirSync(join(folder, 'documents')).sort()) {
    const text = readFileSync(join(folder, 'documents', file), 'utf8');
    await ingest.text({ text, domain: `unrelated-${basename(file, extname(file))}`, format: 'markdown', name: file });
  }
}

/** Ingests turns, one a line: speaker, time and text; `@session` opens a session. */
export async function ingestChat(ingest: Ingest, domain: string, text: string): Promise<void> {
  let session = '';
  for (const line of linesOf(text)) {
    if (line.startsWith('@session ')) session = line.slice('@session '.length);
    else {
      const [speaker = '', timestamp = '', ...rest] = line.split(' | ');
      await ingest.message({ domain, session_id: session, role: 'user', speaker, timestamp, text: rest.join(' | ') });
    }
  }
}

/** Rows become concepts: the name, and every other column by its name. */
export async function ingestRows(ingest: Ingest, domain: string, text: string): Promise<void> {
  const [head = '', ...rows] = linesOf(text);
  const columns = head.split(',');
  const concepts = rows.map((row) => {
    const cells = row.split(',');
    const values = columns.map((column, i) => [
      column,
      i === columns.length - 1 ? cells.slice(i).join(',') : cells[i]!,
    ]);
    const others = values.filter(([column]) => column !== 'name').map(([column, value]) => `${column}: ${value}`);
    return { name: cells[columns.indexOf('name')]!, description: `${others.join('; ')}.` };
  });
  await ingest.structured({ domain, concepts });
}

async function ingestPdf(ingest: Ingest, domain: string, text: string): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'bench-pdf-'));
  const path = join(directory, 'paper.pdf');
  try {
    await writePdf(path, text);
    await ingest.upload({ path, name: 'paper.pdf' }, { domain });
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Headings are the short lines that stand alone. */
function writePdf(path: string, text: string): Promise<void> {
  const document = new PDFDocument({ margin: 72 });
  const written = new Promise<void>((resolve, reject) => {
    document.pipe(createWriteStream(path)).on('finish', resolve).on('error', reject);
  });
  for (const block of text.split('\n\n')) {
    const heading = block.length < 60 && !block.includes('\n');
    document
      .font(heading ? 'Helvetica-Bold' : 'Helvetica')
      .fontSize(heading ? 14 : 10)
      .text(block.trim());
    document.moveDown();
  }
  document.end();
  return written;
}

export function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line.trim() !== '');
}

function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}
