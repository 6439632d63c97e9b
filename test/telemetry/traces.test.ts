import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ComposedService, compose } from '../../src/compose.js';
import { loadConfig } from '../../src/config.js';
import { type Running, startServer } from '../../src/server/start.js';
import { createLogger } from '../../src/telemetry/logger.js';
import { startTracing } from '../../src/telemetry/sdk.js';
import { type LlmServer, serveLlm, status } from '../llm/llm-server.js';
import { waitFor } from '../support/wait-for.js';
import { attributeOf, type CollectedSpan, type Collector, collector } from './collector.js';

const PARENT = 'b7ad6b7169203331';
const QUERY = '0af7651916cd43dd8448eb211c80319c';
const FAILED = '1bf7651916cd43dd8448eb211c80319c';
const INGESTED = '3df7651916cd43dd8448eb211c80319c';
const UNREAD = '4ef7651916cd43dd8448eb211c80319c';
const UNSAMPLED = '2cf7651916cd43dd8448eb211c80319c';
/** Address of a real Jaeger's query API; it takes OTLP at JAEGER_OTLP_URL, or at port 4318 of the same host. */
const JAEGER = process.env.JAEGER_URL;

const folder = mkdtempSync(join(tmpdir(), 'svc-traces-'));
let received: Collector;
let model: Server;
let llm: LlmServer;
const headersOfModel: IncomingHttpHeaders[] = [];
let service: ComposedService;
let running: Running;

const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${running.urls.a}${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

/** A server of embeddings in the form of OpenAI's, which notes the headers that it gets. */
function embeddingServer(): Promise<Server> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      headersOfModel.push(request.headers);
      const { input } = JSON.parse(Buffer.concat(chunks).toString()) as { input: string[] };
      const data = [input].flat().map((text, index) => ({ index, embedding: [text.length, 1, 2, 3] }));
      response.setHeader('Content-Type', 'application/json').end(JSON.stringify({ data, usage: { total_tokens: 1 } }));
    });
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

beforeAll(async () => {
  received = await collector();
  model = await embeddingServer();
  llm = await serveLlm('openai', [
    '{"concepts": [{"name": "Enceladus"}], "relations": [], "rules": []}',
    status(400, { error: { message: 'refused-by-the-model' } }),
  ]);
  const jaegerOtlp = process.env.JAEGER_OTLP_URL ?? JAEGER?.replace(/:\d+\/?$/, ':4318');
  const config = loadConfig({
    environment: {
      SVC_DATA_DIR: folder,
      SVC_PORT: '0',
      SVC_LOG_LEVEL: 'silent',
      SVC_EMBEDDING: 'openai',
      SVC_EMBEDDING_URL: `http://127.0.0.1:${(model.address() as AddressInfo).port}/v1`,
      SVC_EMBEDDING_MODEL: 'test-model',
      SVC_LLM: 'openai',
      SVC_LLM_URL: llm.url,
      SVC_LLM_MODEL: 'test-llm',
      SVC_LLM_KEY: 'private-key-of-the-model',
      OTEL_EXPORTER_OTLP_ENDPOINT: jaegerOtlp ?? received.url,
      OTEL_SERVICE_NAME: 'svc-trace-test',
    },
  });
  const stop = await startTracing(config);
  service = await compose(config);
  running = await startServer({ config, service, log: createLogger('silent'), variants: ['a'] });
  await post('/v1/ingest/structured', {
    domain: 'planets',
    concepts: [
      { name: 'Saturn', description: 'A planet with rings.' },
      { name: 'Titan', description: 'The largest moon of Saturn.' },
    ],
    edges: [{ source: 'Titan', target: 'Saturn', relation: 'part_of' }],
  });
  const answer = await post(
    '/v1/query',
    { context: 'a private question about Titan', top_k: 3 },
    { traceparent: `00-${QUERY}-${PARENT}-01` },
  );
  expect(((await answer.json()) as { items: unknown[] }).items.length).toBeGreaterThan(0);
  await post(
    '/v1/feedback',
    { query_id: 'q-unknown', outcomes: { a: 'accepted' } },
    { traceparent: `00-${FAILED}-${PARENT}-01` },
  );
  for (const [trace, text] of [
    [INGESTED, 'Enceladus is a private moon with geysers.'],
    [UNREAD, 'Mimas is a private moon with a crater.'],
  ] as const) {
    await post('/v1/ingest/text', { text, domain: 'moons' }, { traceparent: `00-${trace}-${PARENT}-01` });
  }
  await post('/v1/query', { context: 'Titan' }, { traceparent: `00-${UNSAMPLED}-${PARENT}-00` });
  await stop();
}, 120_000);
afterAll(async () => {
  await running?.close();
  await service?.close();
  model?.close();
  await llm?.close();
  received?.close();
  rmSync(folder, { recursive: true, force: true });
});

interface SeenSpan {
  readonly name: string;
  readonly id: string;
  readonly parent: string | undefined;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly failed: boolean;
}

function seen(span: CollectedSpan): SeenSpan {
  return {
    name: span.name,
    id: span.spanId,
    parent: span.parentSpanId,
    attributes: Object.fromEntries(span.attributes.map(({ key }) => [key, attributeOf(span, key)])),
    failed: span.status.code === 2,
  };
}

interface JaegerSpan {
  readonly operationName: string;
  readonly spanID: string;
  readonly references: ReadonlyArray<{ readonly refType: string; readonly spanID: string }>;
  readonly tags: ReadonlyArray<{ readonly key: string; readonly value: unknown }>;
}

async function spansOf(trace: string): Promise<SeenSpan[]> {
  if (JAEGER === undefined) return received.spans.filter(({ traceId }) => traceId === trace).map(seen);
  const response = await fetch(`${JAEGER.replace(/\/$/, '')}/api/traces/${trace}`);
  const { data } = (await response.json()) as { data: Array<{ spans: JaegerSpan[] }> | null };
  return (data ?? []).flatMap(({ spans }) =>
    spans.map(({ operationName, spanID, references, tags }) => {
      const attributes = Object.fromEntries(tags.map(({ key, value }) => [key, value]));
      return {
        name: operationName,
        id: spanID,
        parent: references.find(({ refType }) => refType === 'CHILD_OF')?.spanID,
        attributes,
        failed: attributes['otel.status_code'] === 'ERROR',
      };
    }),
  );
}

async function traceOf(trace: string): Promise<SeenSpan[]> {
  let spans: SeenSpan[] = [];
  await waitFor(
    async () => {
      spans = await spansOf(trace);
      expect(spans.some(({ name }) => name.startsWith('POST '))).toBe(true);
    },
    { timeout: 60_000 },
  );
  return spans;
}

const one = (spans: readonly SeenSpan[], name: string): SeenSpan => {
  const found = spans.find((span) => span.name === name);
  if (found === undefined) throw new Error(`no span ${name} among ${spans.map((span) => span.name).join(', ')}`);
  return found;
};

describe('the trace of a query', () => {
  it('goes from the request to the operation and to each port', async () => {
    const spans = await traceOf(QUERY);
    const request = one(spans, 'POST /v1/query');
    expect(request.parent).toBe(PARENT);
    expect(request.attributes).toMatchObject({ 'http.route': '/v1/query', 'http.request.method': 'POST' });
    expect(Number(request.attributes['http.response.status_code'])).toBe(200);
    const operation = one(spans, 'operation query');
    expect(operation.parent).toBe(request.id);
    expect(operation.attributes).toMatchObject({ 'svc.operation': 'query', 'svc.surface': 'http' });
    for (const [port, engine] of [
      ['graph', 'embedded'],
      ['vector', 'hnsw'],
      ['text', 'postings'],
      ['embedding', undefined],
      ['store', 'sqlite'],
    ] as const) {
      const calls = spans.filter(({ attributes }) => attributes['svc.port'] === port);
      expect([port, calls.length > 0]).toEqual([port, true]);
      for (const call of calls) {
        expect(call.name.startsWith(`${port} `)).toBe(true);
        if (engine !== undefined) expect(call.attributes['svc.port.engine']).toBe(engine);
        expect(call.failed).toBe(false);
      }
    }
    // Each span hangs below another one of the trace, up to the request.
    const ids = new Set(spans.map(({ id }) => id));
    for (const span of spans) if (span !== request) expect(ids.has(span.parent ?? '')).toBe(true);
    expect(one(spans, 'embedding embed').failed).toBe(false);
  });

  it('shows statements of the operation itself only: what an embedded engine asks of the store is part of its call', async () => {
    const spans = await traceOf(QUERY);
    const operation = one(spans, 'operation query');
    const statements = spans.filter(({ attributes }) => attributes['svc.port.method'] === 'read');
    expect(statements.length).toBeGreaterThan(0);
    expect(statements.filter(({ parent }) => parent !== operation.id).map(({ name }) => name)).toEqual([]);
  });

  it('carries no text of the question or of documents', async () => {
    const text = JSON.stringify(await Promise.all([QUERY, FAILED, INGESTED, UNREAD].map(traceOf)));
    for (const secret of ['private', 'rings', 'largest', 'geysers', 'crater', 'q-unknown', 'refused-by-the-model']) {
      expect(text).not.toContain(secret);
    }
  });

  it('goes on in the server of the model, by W3C trace context', async () => {
    const embedded = (await traceOf(QUERY)).filter(({ name }) => name === 'embedding embed').map(({ id }) => id);
    const headers = headersOfModel.map(({ traceparent }) => String(traceparent));
    const passed = headers.filter((header) => header.startsWith(`00-${QUERY}-`));
    expect(passed.length).toBeGreaterThan(0);
    for (const header of passed) expect(embedded).toContain(header.split('-')[2]);
  });
});

describe('the trace of an ingest', () => {
  it('goes on in the language model, by W3C trace context', async () => {
    const spans = await traceOf(INGESTED);
    const call = one(spans, 'llm complete');
    expect(call.attributes).toMatchObject({ 'svc.port': 'llm', 'svc.port.engine': 'openai-test-llm' });
    expect(call.failed).toBe(false);
    expect(spans.map(({ id }) => id)).toContain(call.parent);
    expect(llm.requests[0]?.headers.traceparent).toBe(`00-${INGESTED}-${call.id}-01`);
    expect(spans.some(({ name }) => name === 'store write')).toBe(true);
  });

  it('marks the call that the model refused; the ingest itself went on without it', async () => {
    const spans = await traceOf(UNREAD);
    const calls = spans.filter(({ name }) => name === 'llm complete');
    expect(calls.length).toBeGreaterThan(0);
    for (const call of calls) expect([call.failed, call.attributes['error.type']]).toEqual([true, 'unavailable']);
    expect(one(spans, 'operation ingest_text').failed).toBe(false);
  });
});

it('marks what failed by the code of its error', async () => {
  const operation = one(await traceOf(FAILED), 'operation feedback');
  expect(operation.failed).toBe(true);
  expect(operation.attributes['error.type']).toBe('query_not_found');
});

it('sends no span of a trace that its caller does not sample', async () => {
  await traceOf(QUERY);
  expect(await spansOf(UNSAMPLED)).toEqual([]);
});

it('names the service by OTEL_SERVICE_NAME', () => {
  if (JAEGER !== undefined) return;
  expect(new Set(received.spans.map(({ service: name }) => name))).toEqual(new Set(['svc-trace-test']));
});
