import { VARIANTS, type VariantName } from '../../src/server/variants.js';
import * as documents from '../../test/ingest-parse/hostile-documents.js';
import { HOSTILE_JSON } from './bodies.js';
import { listed } from './fill.js';
import { rpcRequests, telemetryRequests } from './pages.js';

/** One hostile request; `kind` says what is in it. */
export interface Hostile {
  readonly kind: string;
  readonly variant: VariantName;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

const JSON_TYPE = { 'Content-Type': 'application/json' };
/** Pages that read JSON beside the rows. */
const PAGES = ['/mcp', '/v1/traces', '/v1/logs', '/__gateway__/api/learning/ingest', '/__gateway__/api/green/ingest'];

/** Paths of a variant that read JSON. */
function jsonPaths(variant: VariantName): string[] {
  const rows = VARIANTS[variant].rows.filter(({ method, body }) => method === 'POST' && body !== 'multipart');
  return [...rows.map(({ path }) => path.replace(/\{[^}]+\}/g, 'h')), ...(variant === 'a' ? PAGES : [])];
}

/** Every hostile body to every route that reads JSON. */
function* ofJson(size: number): Generator<Hostile> {
  for (const [kind, make] of Object.entries(HOSTILE_JSON)) {
    const body = make(size);
    for (const variant of Object.keys(VARIANTS) as VariantName[]) {
      for (const path of jsonPaths(variant)) yield { kind, variant, path, headers: JSON_TYPE, body };
    }
  }
}

function upload(name: string, content: string | Buffer): Pick<Hostile, 'headers' | 'body'> {
  const boundary = 'hostile-boundary';
  const part = (disposition: string) => `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n`;
  return {
    headers: { 'Content-Type': `multipart/form-data; boundary=${boundary}` },
    body: Buffer.concat([
      Buffer.from(
        `${part('name="domain"')}h\r\n${part(`name="file"; filename="${name}"\r\nContent-Type: application/octet-stream`)}`,
      ),
      Buffer.from(content),
      Buffer.from(`\r\n--${boundary}--\r\n`),
    ]),
  };
}

/** Hostile documents, sent as files and, where they are text, within JSON. */
function* ofDocuments(size: number): Generator<Hostile> {
  const text = (format: string, body: string) => JSON.stringify({ domain: 'h', format, name: format, text: body });
  for (const [kind, make] of Object.entries(documents.hostileMarkdown)) {
    const body = make(size);
    yield { kind: `Markdown: ${kind}`, variant: 'b', path: '/api/v1/ingest', ...upload('deck.md', body) };
    const sent = text('markdown', body.slice(0, size / 2));
    yield { kind: `Markdown: ${kind}`, variant: 'a', path: '/v1/ingest/text', headers: JSON_TYPE, body: sent };
  }
  for (const [kind, make] of Object.entries(documents.hostileHtml)) {
    yield { kind: `HTML: ${kind}`, variant: 'b', path: '/api/v1/ingest', ...upload('page.html', make(size)) };
  }
  const files: ReadonlyArray<readonly [kind: string, name: string, make: () => Buffer | string]> = [
    ['PDF of nested states', 'deck.pdf', () => documents.pdfOfNestedStates(size / 2)],
    ['PDF of one page many times', 'deck.pdf', () => documents.pdfOfOnePageManyTimes(Math.min(50_000, size / 8))],
    ['PDF of very many widths', 'deck.pdf', () => documents.pdfOfWidths(300_000_000)],
    ['PDF of one paragraph of many lines', 'deck.pdf', () => documents.pdfOfLines(Math.min(100_000, size / 20))],
    ['PDF that claims pages', 'deck.pdf', () => documents.pdfOfClaimedPages(100_000_000)],
    ['PDF bomb', 'deck.pdf', () => documents.pdfBomb(size * 100)],
    ['DOCX of many paragraphs', 'deck.docx', () => documents.docxOfParagraphs(Math.min(300_000, size / 16))],
    ['DOCX bomb', 'deck.docx', () => documents.docxBomb(size * 100)],
    ['HTML of stray end tags', 'page.html', () => documents.strayEndTags(size / 5)],
    ['HTML of a long title', 'page.html', () => `<title>${'a '.repeat(size / 2 - 40)}</title><p>words`],
    ['HTML of brackets in no UTF-8', 'page.html', () => Buffer.from(`${'<'.repeat(size - 20)}caf\xe9`, 'latin1')],
    ['HTML nested deep', 'page.html', () => documents.nestedHtml(size / 12)],
    ['prose', 'tale.txt', () => 'Ann met Bo in Rome. They must not forget the keys. '.repeat(size / 51)],
    ['distinct names', 'tale.txt', () => Array.from({ length: size / 20 }, (_, i) => `Name${i} met Bo${i}.`).join(' ')],
    ['zeros', 'tale.txt', () => Buffer.alloc(size)],
  ];
  for (const [kind, name, make] of files) {
    yield { kind: `file: ${kind}`, variant: 'b', path: '/api/v1/ingest', ...upload(name, make()) };
  }
}

/** Forms of very many files, fields, boundaries and headers, to the two routes that take forms. */
function* ofForms(size: number): Generator<Hostile> {
  const line = '--hostile-boundary\r\n';
  const part = (rest: string) => `${line}Content-Disposition: form-data; ${rest}`;
  const forms: ReadonlyArray<readonly [kind: string, body: string]> = [
    ['very many files', listed('', (i) => `${part(`name="files"; filename="f${i}.txt"`)}\r\n\r\na\r\n`, '')(size)],
    ['very many fields', listed('', (i) => `${part(`name="f${i}"`)}\r\n\r\na\r\n`, '')(size)],
    ['boundaries alone', line.repeat(size / line.length)],
    ['a header that never ends', `${part(`name="${'n'.repeat(size - 200)}`)}`],
    ['one long field', `${part('name="domain"')}\r\n\r\n${'h'.repeat(size - 200)}\r\n--hostile-boundary--\r\n`],
    ['line ends', `${part('name="file"; filename="a.txt"')}\r\n\r\n${'\r\n'.repeat(size / 2 - 100)}`],
  ];
  const headers = { 'Content-Type': 'multipart/form-data; boundary=hostile-boundary' };
  for (const [kind, body] of forms) {
    yield { kind: `form: ${kind}`, variant: 'b', path: '/api/v1/ingest', headers, body };
    yield { kind: `form: ${kind}`, variant: 'a', path: '/v1/jobs/ingest', headers, body };
  }
}

/** All hostile requests of about `size` bytes each. */
export function* hostileRequests(size: number): Generator<Hostile> {
  yield* ofJson(size);
  yield* rpcRequests(size);
  yield* telemetryRequests(size);
  yield* ofDocuments(size);
  yield* ofForms(size);
}
