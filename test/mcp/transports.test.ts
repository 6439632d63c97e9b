import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SSEClientTransport as SseV1 } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { context, trace } from '@opentelemetry/api';
import { loadConfig } from '../../src/config.js';
import { signRequest } from '../../src/core/hmac.js';
import type { ToolCallContext } from '../../src/mcp/tool-server.js';
import { tools } from '../../src/mcp/tools.js';
import { createApp } from '../../src/server/app.js';
import { type Listening, listen } from '../../src/server/listen.js';
import { type ToolPages, toolGuards, toolPages } from '../../src/server/tool-pages.js';
import { createLogger } from '../../src/telemetry/logger.js';
import { startTracing } from '../../src/telemetry/sdk.js';
import { waitFor } from '../support/wait-for.js';
import type { Json } from './calls.js';
import { httpV1, httpV2, STATELESS, type ToolClient, v1 } from './connections.js';

/** What the tools of these tests do is written here: the transports are what is tested. */
type Behaviour = (input: Json, context: ToolCallContext) => Promise<unknown>;
let behave: Behaviour = async () => ({ documents: [] });

interface Serving {
  readonly url: string;
  close(): Promise<void>;
}

async function serve(environment: Record<string, string> = {}): Promise<Serving> {
  const config = loadConfig({ environment: { SVC_DRAIN_SECONDS: '1', ...environment } });
  const pages: ToolPages = toolPages({
    tools: { name: config.name, version: '1', tools, dispatch: (_tool, input, more) => behave(input, more) },
    ...toolGuards(config),
  });
  const app = createApp({ config, log: createLogger('silent'), routes: pages.pages });
  const open: Listening = await listen(app.callback(), { host: '127.0.0.1', port: 0, drainMs: 1000 });
  return {
    url: open.url,
    close: async () => {
      await Promise.all([pages.close(), open.close()]);
    },
  };
}

let server: Serving;
beforeAll(async () => {
  server = await serve();
});
afterAll(() => server.close());

const WAYS: ReadonlyArray<readonly [string, () => Promise<ToolClient>]> = [
  ['/mcp with a session', () => httpV1(`${server.url}/mcp`)],
  ['/mcp without', () => httpV2(`${server.url}/mcp`, STATELESS)],
  ['/sse', () => v1(new SseV1(new URL(`${server.url}/sse`)))],
];

describe.each(WAYS)('%s', (_name, connect) => {
  let client: ToolClient;
  beforeAll(async () => {
    client = await connect();
  });
  afterAll(() => client.close());

  it('reports progress to the caller who asked for it', async () => {
    behave = async (_input, { progress }) => {
      for (const done of [1, 2, 2, 3]) {
        progress(done, 3, `step ${done}`);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      return { status: 'ok', index_name: 'x' };
    };
    const seen: Array<{ progress: number; message?: string }> = [];
    const onprogress = (one: { progress: number; message?: string }) => seen.push(one);
    await client.call('svc_vector_delete_index', { index_name: 'x' }, { onprogress });
    expect(seen.map((one) => one.progress)).toEqual([1, 2, 3]);
    expect(seen[0]).toMatchObject({ message: 'step 1', total: 3 });
    await client.call('svc_vector_delete_index', { index_name: 'x' });
    expect(seen).toHaveLength(3);
  });

  it('tells the tool when the caller cancels', async () => {
    let aborted = false;
    let begun = () => {};
    const running = new Promise<void>((resolve) => {
      begun = resolve;
    });
    behave = (_input, { signal }) =>
      new Promise((_resolve, reject) => {
        begun();
        signal.addEventListener('abort', () => {
          aborted = true;
          reject(new Error('stopped'));
        });
      });
    const controller = new AbortController();
    const call = client.call('svc_vector_delete_index', { index_name: 'x' }, { signal: controller.signal });
    const refused = expect(call).rejects.toThrow();
    await running;
    controller.abort();
    await refused;
    await waitFor(() => expect(aborted).toBe(true));
  });

  it('continues the trace of the caller', async () => {
    const stop = await startTracing({
      name: 'svc',
      tracing: {
        enabled: true,
        endpoint: null,
        traces_endpoint: null,
        exporter: 'otlp',
        protocol: 'http/json',
        service_name: null,
        sample: null,
      },
    });
    let traceId: string | undefined;
    behave = async () => {
      traceId = trace.getSpanContext(context.active())?.traceId;
      return { status: 'ok', index_name: 'x' };
    };
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    await client.call('svc_vector_delete_index', { index_name: 'x' }, { meta: { traceparent } });
    await stop();
    expect(traceId).toBe('0af7651916cd43dd8448eb211c80319c');
  });

  it('cuts what is larger than a megabyte', async () => {
    behave = async () => ({ ids: Array.from({ length: 60_000 }, (_, i) => `identifier-of-an-entry-${i}`) });
    const answer = await client.call('svc_vector_upsert', { index_name: 'x', vectors: [[1]] });
    // Clients end a stream at a megabyte: the text and the structured copy count together.
    expect(JSON.stringify(answer).length).toBeLessThanOrEqual(1_000_000);
    expect(answer.structuredContent!.truncated).toContain('of 60000 shown');
  });

  it('hides the reason of an unexpected failure', async () => {
    behave = async () => {
      throw new Error('postgres://me:secret@host');
    };
    const answer = await client.call('svc_vector_delete_index', { index_name: 'x' });
    expect(answer.isError).toBe(true);
    expect(JSON.parse(answer.content[0]!.text!)).toMatchObject({ code: 'internal' });
    expect(answer.content[0]!.text).not.toContain('secret');
  });
});

const PAGES: ReadonlyArray<readonly [string, string]> = [
  ['POST', '/mcp'],
  ['GET', '/mcp'],
  ['DELETE', '/mcp'],
  ['GET', '/sse'],
  ['POST', '/messages?sessionId=x'],
];

/** `fetch` does not let a caller set Host. */
function send(url: string, method: string, headers: Record<string, string>, body?: string) {
  return new Promise<{ status: number; headers: Record<string, unknown>; body: Json }>((resolve, reject) => {
    const sending = request(url, { method, headers: { 'content-type': 'application/json', ...headers } }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        resolve({ status: answer.statusCode!, headers: answer.headers, body: JSON.parse(text) as Json });
      });
    });
    sending.on('error', reject);
    sending.end(body);
  });
}

describe.each(PAGES)('%s %s', (method, path) => {
  it.each([
    ['a Host of another name', { Host: 'evil.example' }],
    ['a Host that only begins like ours', { Host: '127.0.0.1.evil.example' }],
    ['an Origin elsewhere', { Origin: 'https://evil.example' }],
    ['an opaque Origin', { Origin: 'null' }],
  ])('refuses %s', async (_case, headers) => {
    const answer = await send(`${server.url}${path}`, method, headers);
    expect([answer.status, answer.body.code]).toEqual([403, 'forbidden']);
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
  });

  it('stands behind authentication', async () => {
    const closed = await serve({ SVC_API_KEYS: 'k' });
    const answer = await send(`${closed.url}${path}`, method, { Origin: 'http://localhost' });
    expect([answer.status, answer.body.code]).toEqual([401, 'unauthorized']);
    expect(answer.headers['access-control-allow-origin']).toBe('*');
    await closed.close();
  });
});

/** `fetch` with the headers of the signature mode. */
function signingFetch(secret: string) {
  return (url: string | URL, init: RequestInit = {}) => {
    const [timestamp, nonce] = [String(Math.floor(Date.now() / 1000)), randomUUID()];
    const { pathname, search } = new URL(url);
    const parts = { timestamp, nonce, method: init.method ?? 'GET', target: `${pathname}${search}` };
    const headers = new Headers(init.headers);
    headers.set('X-Svc-Timestamp', timestamp);
    headers.set('X-Svc-Nonce', nonce);
    headers.set('X-Svc-Signature', signRequest(secret, parts, String(init.body ?? '')));
    return fetch(url, { ...init, headers });
  };
}

describe('the tools over HTTP', () => {
  it('admit hosts and origins of the settings', async () => {
    const named = await serve({ SVC_ALLOWED_HOSTS: 'tools.example', SVC_CORS_ORIGINS: 'https://app.example' });
    const status = async (headers: Record<string, string>) =>
      (await send(`${named.url}/messages?sessionId=x`, 'POST', headers, '{}')).status;
    expect(await status({ Host: 'tools.example:8400' })).toBe(404);
    expect(await status({ Origin: 'https://app.example' })).toBe(404);
    expect(await status({ Origin: 'https://tools.example' })).toBe(404);
    expect(await status({ Origin: 'https://other.example' })).toBe(403);
    await named.close();
  });

  it('work with a key and with a signature', async () => {
    behave = async () => ({ status: 'ok', index_name: 'x' });
    const closed = await serve({ SVC_API_KEYS: 'k' });
    for (const connect of [httpV1, (url: string, headers: Record<string, string>) => httpV2(url, STATELESS, headers)]) {
      const client = await connect(`${closed.url}/mcp`, { Authorization: 'Bearer k' });
      expect((await client.call('svc_vector_delete_index', { index_name: 'x' })).isError).toBeFalsy();
      await client.close();
    }
    await closed.close();
    const signed = await serve({ SVC_HMAC_SECRET: 'secret', SVC_HMAC_REQUIRE_NONCE: '1' });
    const client = await v1(new HttpV1(new URL(`${signed.url}/mcp`), { fetch: signingFetch('secret') }));
    expect((await client.call('svc_vector_delete_index', { index_name: 'x' })).isError).toBeFalsy();
    await client.close();
    await expect(v1(new HttpV1(new URL(`${signed.url}/mcp`), { fetch: signingFetch('wrong') }))).rejects.toThrow();
    await signed.close();
  });

  it('answer 404 to a session that is not there, 400 and 415 to what is no JSON', async () => {
    const gone = { 'mcp-session-id': 'gone', accept: 'application/json, text/event-stream' };
    const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    expect((await send(`${server.url}/mcp`, 'POST', gone, list)).status).toBe(404);
    expect((await send(`${server.url}/mcp`, 'POST', {}, '{')).status).toBe(400);
    expect((await send(`${server.url}/mcp`, 'POST', { 'content-type': 'text/plain' }, 'x')).status).toBe(415);
    expect((await send(`${server.url}/mcp`, 'PUT', {})).status).toBe(405);
  });

  it.each(['GET', 'HEAD', 'DELETE'])(
    'refuse %s without a session with 405: there is nothing to listen to',
    async (method) => {
      const answer = await fetch(`${server.url}/mcp`, { method, headers: { accept: 'text/event-stream' } });
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
      if (method === 'HEAD') return;
      expect(await answer.json()).toMatchObject({ jsonrpc: '2.0', error: { code: -32000 }, id: null });
      const gone = await fetch(`${server.url}/mcp`, {
        method,
        headers: { accept: 'text/event-stream', 'mcp-session-id': 'gone' },
      });
      expect([gone.status, await gone.json()]).toMatchObject([404, { error: { code: -32001 } }]);
    },
  );

  it('limit the size of a request', async () => {
    const small = await serve({ SVC_MAX_BODY_BYTES: '2000' });
    expect((await send(`${small.url}/mcp`, 'POST', {}, JSON.stringify({ x: 'y'.repeat(3000) }))).status).toBe(413);
    await small.close();
  });

  it('end their streams when the service stops', async () => {
    const stopping = await serve();
    const client = await v1(new SseV1(new URL(`${stopping.url}/sse`)));
    await client.list();
    const started = performance.now();
    await stopping.close();
    // Not cut off by the time limit of stopping.
    expect(performance.now() - started).toBeLessThan(30_000);
    await client.close();
  });

  it('carry the name of the service', async () => {
    const renamed = await serve({ SVC_NAME: 'acme' });
    const client = await httpV1(`${renamed.url}/mcp`);
    expect((await client.list()).map((tool) => tool.name)).toEqual(tools.map((tool) => `acme_${tool.name}`));
    await client.close();
    await renamed.close();
  });
});
