import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type StopTracing, startTracing } from '../../src/telemetry/sdk.js';
import { waitFor } from '../support/wait-for.js';
import { post, type Serving, serving } from './harness.js';

interface Attribute {
  readonly key: string;
  readonly value: { readonly stringValue?: string; readonly intValue?: number };
}
interface Span {
  readonly name: string;
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly attributes: readonly Attribute[];
  readonly status: { readonly code?: number };
}

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';
const spans: Span[] = [];
let collector: Server;
let server: Serving;
let stop: StopTracing;

/** Takes OTLP over HTTP, as a collector does. */
function collect(): Promise<Server> {
  const receiving = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString()) as {
        resourceSpans: Array<{ scopeSpans: Array<{ spans: Span[] }> }>;
      };
      for (const resource of body.resourceSpans) for (const scope of resource.scopeSpans) spans.push(...scope.spans);
      response.setHeader('Content-Type', 'application/json').end('{}');
    });
  });
  return new Promise((resolve) => receiving.listen(0, '127.0.0.1', () => resolve(receiving)));
}

beforeAll(async () => {
  collector = await collect();
  const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
  server = await serving({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint });
  stop = await startTracing(server.config);
  const traceparent = `00-${TRACE}-${PARENT}-01`;
  await post(`${server.url}/v1/echo?top_k=3`, { text: 'private' }, { traceparent });
  await fetch(`${server.url}/v1/things/a%2Fb`, { method: 'DELETE' });
  await post(`${server.url}/v1/fail`, { how: 'driver' });
  await fetch(`${server.url}/nowhere`);
  await stop();
  await waitFor(() => expect(spans.filter((span) => span.kind === 2)).toHaveLength(4), { timeout: 60_000 });
});
afterAll(async () => {
  await server.close();
  collector.close();
});

function named(name: string): Span {
  const span = spans.find((one) => one.name === name);
  if (span === undefined) throw new Error(`no span ${name} among ${spans.map((one) => one.name).join(', ')}`);
  return span;
}

function attribute(span: Span, key: string): unknown {
  const value = span.attributes.find((one) => one.key === key)?.value;
  return value?.stringValue ?? value?.intValue;
}

describe('tracing', () => {
  it('makes one server span a request, a child of the caller, with route and status', () => {
    const span = named('POST /v1/echo');
    expect([span.traceId, span.parentSpanId]).toEqual([TRACE, PARENT]);
    expect(attribute(span, 'http.route')).toBe('/v1/echo');
    expect(attribute(span, 'http.response.status_code')).toBe(200);
    expect(span.status.code ?? 0).toBe(0);
  });

  it('hangs the span of the operation below it', () => {
    const span = named('operation echo');
    expect([span.traceId, span.parentSpanId]).toEqual([TRACE, named('POST /v1/echo').spanId]);
    expect(attribute(span, 'svc.operation')).toBe('echo');
  });

  it('names the route, not the path, and marks failures of the service', () => {
    expect(attribute(named('DELETE /v1/things/{thing_id}'), 'http.response.status_code')).toBe(200);
    expect(named('POST /v1/fail').status.code).toBe(2);
    const unknown = named('GET');
    expect(attribute(unknown, 'http.response.status_code')).toBe(404);
    expect(unknown.status.code ?? 0).toBe(0);
  });

  it('writes the trace id into the log and nothing of the content into spans', () => {
    const line = server.lines.find((one) => one.fields.path === '/v1/echo');
    expect(line?.fields.trace_id).toBe(TRACE);
    expect(JSON.stringify(spans)).not.toContain('private');
  });

  it('stops quietly where nobody listens', async () => {
    const silent = await startTracing({
      name: 'svc',
      tracing: { ...server.config.tracing, enabled: true, endpoint: 'http://127.0.0.1:9' },
    });
    await expect(silent()).resolves.toBeUndefined();
  });
});
