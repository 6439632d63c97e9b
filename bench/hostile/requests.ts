import { deflateSync } from 'node:zlib';
import { VARIANTS, type VariantName } from '../../src/server/variants.js';
import * as documents from '../../test/ingest-parse/hostile-documents.js';
import { HOSTILE_JSON } from './bodies.js';

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

/** A tool call around a hostile text, and rows of telemetry. */
function* ofPages(size: number): Generator<Hostile> {
  const text = 'why '.repeat(size / 4);
  const call = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'svc_query', arguments: { context: text } },
  };
  yield {
    kind: 'a tool call',
    variant: 'a',
    path: '/mcp',
    headers: { ...JSON_TYPE, Accept: 'application/json, text/event-stream' },
    body: JSON.stringify(call),
  };
  for (const kind of ['half surrogate pairs', 'escapes', 'a question', 'keys of a learner context']) {
    const params = `{"name":"svc_query","arguments":${HOSTILE_JSON[kind]!(size - 120)}}`;
    yield {
      kind: `a tool call: ${kind}`,
      variant: 'a',
      path: '/mcp',
      headers: { ...JSON_TYPE, Accept: 'application/json, text/event-stream' },
      body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`,
    };
  }
  // Resources, spans of one scope and attributes of one span, in protobuf: empty ones, as many as there is room for.
  const empty = (before: readonly number[]) => {
    let bytes: Buffer = Buffer.alloc(size - (size % 2), Buffer.from([before.at(-1)!, 0]));
    for (const tag of before.slice(0, -1).reverse()) bytes = Buffer.concat([delimited(tag, bytes.length), bytes]);
    return bytes;
  };
  for (const [name, tags] of [
    ['resources', [0x0a]],
    ['spans', [0x0a, 0x12, 0x12]],
    ['attributes', [0x0a, 0x12, 0x12, 0x4a]],
  ] as const) {
    const headers = { 'Content-Type': 'application/x-protobuf' };
    yield { kind: `protobuf of ${name}`, variant: 'a', path: '/v1/traces', headers, body: empty(tags) };
  }
  const spans = Array.from({ length: size / 120 }, (_, i) => ({
    traceId: i.toString(16).padStart(32, '0'),
    spanId: i.toString(16).padStart(16, '0'),
    name: 's',
  }));
  const traces = JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] });
  yield { kind: 'spans', variant: 'a', path: '/v1/traces', headers: JSON_TYPE, body: traces };
  const line = '{"model":"gpt-4o","prompt_tokens":1,"completion_tokens":1}\n';
  yield {
    kind: 'rows of telemetry',
    variant: 'a',
    path: '/__gateway__/api/green/ingest',
    headers: { 'Content-Type': 'application/x-ndjson' },
    body: line.repeat(size / line.length),
  };
  yield {
    kind: 'a bomb of telemetry',
    variant: 'a',
    path: '/v1/traces',
    headers: { ...JSON_TYPE, 'Content-Encoding': 'deflate' },
    body: deflateSync(Buffer.alloc(100 * size, '[')),
  };
}

/** Tag and length before a member of a protobuf message. */
function delimited(tag: number, length: number): Buffer {
  const bytes = [tag];
  for (let rest = length; ; rest = Math.floor(rest / 128)) {
    bytes.push(rest < 128 ? rest : (rest % 128) + 128);
    if (rest < 128) return Buffer.from(bytes);
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
    ['PDF that claims pages', 'deck.pdf', () => documents.pdfOfClaimedPages(100_000_000)],
    ['PDF bomb', 'deck.pdf', () => documents.pdfBomb(size * 100)],
    ['DOCX of many paragraphs', 'deck.docx', () => documents.docxOfParagraphs(Math.min(300_000, size / 16))],
    ['DOCX bomb', 'deck.docx', () => documents.docxBomb(size * 100)],
    ['HTML nested deep', 'page.html', () => documents.nestedHtml(size / 12)],
    ['prose', 'tale.txt', () => 'Ann met Bo in Rome. They must not forget the keys. '.repeat(size / 51)],
    ['distinct names', 'tale.txt', () => Array.from({ length: size / 20 }, (_, i) => `Name${i} met Bo${i}.`).join(' ')],
    ['zeros', 'tale.txt', () => Buffer.alloc(size)],
  ];
  for (const [kind, name, make] of files) {
    yield { kind: `file: ${kind}`, variant: 'b', path: '/api/v1/ingest', ...upload(name, make()) };
  }
}

/** All hostile requests of about `size` bytes each. */
export function* hostileRequests(size: number): Generator<Hostile> {
  yield* ofJson(size);
  yield* ofPages(size);
  yield* ofDocuments(size);
}
