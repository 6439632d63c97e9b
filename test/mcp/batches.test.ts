import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { loadConfig } from '../../src/config.js';
import { serveToolsOnStdio } from '../../src/mcp/stdio.js';
import type { ToolServerOptions } from '../../src/mcp/tool-server.js';
import { tools } from '../../src/mcp/tools.js';
import { createApp } from '../../src/server/app.js';
import { type Listening, listen } from '../../src/server/listen.js';
import { type ToolPages, toolGuards, toolPages } from '../../src/server/tool-pages.js';
import { createLogger } from '../../src/telemetry/logger.js';
import { waitFor } from '../support/wait-for.js';
import type { Json } from './calls.js';

type Answer = Json | Json[];

let behave: (signal: AbortSignal) => Promise<unknown> = async () => ({ domains: [] });
const OPTIONS: ToolServerOptions = {
  name: 'svc',
  version: '1',
  tools,
  dispatch: (_tool, _input, { signal }) => behave(signal),
};

const ping = (id: unknown) => ({ jsonrpc: '2.0', id, method: 'ping' });
const pong = (id: unknown) => ({ jsonrpc: '2.0', id, result: {} });
const call = (id: unknown) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'svc_domains' } });
const initialize = (id: number, protocolVersion = '2025-03-26') => ({
  jsonrpc: '2.0',
  id,
  method: 'initialize',
  params: { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } },
});
const INITIALIZED = { jsonrpc: '2.0', method: 'notifications/initialized' };
const refused = (code: number, id: unknown = null) => ({
  jsonrpc: '2.0',
  id,
  error: { code, message: expect.any(String) },
});

describe('over standard input and output', () => {
  let input: PassThrough;
  let lines: Answer[];
  let close: () => Promise<void>;
  beforeAll(async () => {
    input = new PassThrough();
    const output = new PassThrough();
    lines = [];
    let rest = '';
    output.on('data', (chunk: Buffer) => {
      const parts = (rest + chunk.toString()).split('\n');
      rest = parts.pop()!;
      lines.push(...parts.map((line) => JSON.parse(line) as Answer));
    });
    ({ close } = serveToolsOnStdio(OPTIONS, () => undefined, { stdin: input, stdout: output }));
    await exchange(JSON.stringify(initialize(1)), 1);
    input.write(`${JSON.stringify(INITIALIZED)}\n`);
  });
  afterAll(() => close());

  /** Sends a line, and a ping after it; returns what came before the answer to the ping. */
  async function exchange(line: string, count: number): Promise<Answer[]> {
    lines.length = 0;
    input.write(`${line}\n`);
    await waitFor(() => expect(lines.length).toBeGreaterThanOrEqual(count));
    input.write(`${JSON.stringify(ping('last'))}\n`);
    await waitFor(() => expect(lines).toContainEqual(pong('last')));
    return lines.filter((found) => (found as Json).id !== 'last');
  }

  it('tells a model how to read an answer', async () => {
    const [answer] = (await exchange(JSON.stringify(initialize(2)), 1)) as [Json];
    const { instructions } = answer.result as { instructions: string };
    expect(instructions).toContain('a message that answers may score 0.05');
    expect(instructions).toContain('says what changed since the one that it names');
  });

  it('answers a batch in one line', async () => {
    const batch = [ping(1), INITIALIZED, call('two')];
    const [answers, ...more] = (await exchange(JSON.stringify(batch), 1)) as [Json[]];
    expect(more).toEqual([]);
    expect(answers.map(({ id }) => id).sort()).toEqual([1, 'two']);
    expect(answers).toContainEqual(pong(1));
  });

  it('answers each part of a batch that it cannot take', async () => {
    const batch = [{ id: 7, method: 'ping' }, 5, ping(8), ping(8), initialize(9), { jsonrpc: '2.0', id: 1, error: 5 }];
    const [answers] = (await exchange(JSON.stringify(batch), 1)) as [Json[]];
    expect(answers).toEqual([refused(-32600, 7), refused(-32600), refused(-32600, 8), refused(-32600, 9), pong(8)]);
    expect(await exchange(JSON.stringify([5]), 1)).toEqual([[refused(-32600)]]);
  });

  it('answers a batch without the request that its caller cancels', async () => {
    let begun = () => {};
    const running = new Promise<void>((resolve) => {
      begun = resolve;
    });
    behave = (signal) =>
      new Promise((_resolve, reject) => {
        begun();
        signal.addEventListener('abort', () => reject(new Error('stopped')));
      });
    lines.length = 0;
    input.write(`${JSON.stringify([ping(1), call(2)])}\n`);
    await running;
    behave = async () => ({ domains: [] });
    const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 2 } };
    expect(await exchange(JSON.stringify(cancelled), 1)).toEqual([[pong(1)]]);
  });

  it.each([
    ['what is not JSON', '{bad json', refused(-32700)],
    ['an empty batch', '[]', refused(-32600)],
    ['a batch that is too long', JSON.stringify(Array.from({ length: 101 }, (_, i) => ping(i))), refused(-32600)],
    ['an object of another protocol', '{"id":7,"method":"ping"}', refused(-32600, 7)],
    ['an id of another type', '{"jsonrpc":"2.0","id":{},"method":"ping"}', refused(-32600)],
    ['a text', '"ping"', refused(-32600)],
  ])('answers %s', async (_case, line, answer) => {
    expect(await exchange(line, 1)).toEqual([answer]);
  });

  it.each([
    ['an empty line', ' '],
    ['a batch that asks nothing', JSON.stringify([INITIALIZED])],
    ['an answer that is not whole', '{"id":7,"error":"none"}'],
  ])('does not answer %s', async (_case, line) => {
    expect(await exchange(line, 0)).toEqual([]);
  });

  it('reads lines that come in parts, and several at once', async () => {
    const text = JSON.stringify({ ...ping('ä'), params: {} });
    const bytes = Buffer.from(`${text}\r\n${JSON.stringify(ping(2))}`);
    lines.length = 0;
    for (const byte of bytes) input.write(Buffer.from([byte]));
    expect(await exchange('', 1)).toEqual([pong('ä'), pong(2)]);
  });
});

describe('over HTTP', () => {
  let pages: ToolPages;
  let open: Listening;
  beforeAll(async () => {
    const config = loadConfig({ environment: { SVC_DRAIN_SECONDS: '1' } });
    pages = toolPages({ tools: OPTIONS, ...toolGuards(config) });
    const app = createApp({ config, log: createLogger('silent'), routes: pages.pages });
    open = await listen(app.callback(), { host: '127.0.0.1', port: 0, drainMs: 1000 });
  });
  afterAll(async () => {
    await Promise.all([pages.close(), open.close()]);
  });

  const post = (path: string, body: string, headers: Record<string, string> = {}) =>
    fetch(`${open.url}${path}`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    });

  /** Opens a session of `/mcp`, or a stream; returns where to post, and how. */
  const WAYS: Record<
    string,
    () => Promise<readonly [path: string, headers: Record<string, string>, end?: () => void]>
  > = {
    '/mcp without a session': async () => ['/mcp', {}],
    '/mcp with a session': async () => {
      const answer = await post('/mcp', JSON.stringify(initialize(1)));
      await answer.text();
      return ['/mcp', { 'mcp-session-id': answer.headers.get('mcp-session-id')! }];
    },
    '/messages': async () => {
      const stream = await opened();
      return [stream.path, {}, stream.end];
    },
  };

  async function opened() {
    const controller = new AbortController();
    const answer = await fetch(`${open.url}/sse`, { signal: controller.signal });
    const found: string[] = [];
    let text = '';
    const reading = (async () => {
      for await (const chunk of answer.body!) {
        text += Buffer.from(chunk as Uint8Array).toString();
        found.splice(0, found.length, ...[...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => data!));
      }
    })().catch(() => undefined);
    await waitFor(() => expect(found).toHaveLength(1));
    const end = () => {
      controller.abort();
      return reading;
    };
    // Beside /sse.
    return { path: `/${found[0]}`, messages: () => found.slice(1).map((data) => JSON.parse(data) as Answer), end };
  }

  it.each(Object.keys(WAYS))('answers what is no message with 400 and an error of the protocol: %s', async (way) => {
    const [path, headers, end] = await WAYS[way]!();
    for (const [body, answer] of [
      ['{bad', refused(-32700)],
      ['', refused(-32700)],
      ['[]', refused(-32600)],
      ['{"id":7,"method":"ping"}', refused(-32600, 7)],
      ['5', refused(-32600)],
      [JSON.stringify([ping(1), { id: 7 }]), refused(-32600)],
    ] as const) {
      const got = await post(path, body, headers);
      expect([body, got.status, got.headers.get('content-type'), await got.json()]).toEqual([
        body,
        400,
        expect.stringMatching(/^application\/json/),
        answer,
      ]);
    }
    end?.();
  });

  it('answers a batch over /messages in one event', async () => {
    const stream = await opened();
    const answer = await post(stream.path, JSON.stringify([ping(1), INITIALIZED, call(2)]));
    expect(answer.status).toBe(202);
    await waitFor(() => expect(stream.messages()).toHaveLength(1));
    const [answers] = stream.messages() as [Json[]];
    expect(answers.map(({ id }) => id).sort()).toEqual([1, 2]);
    await post(stream.path, JSON.stringify(ping(3)));
    await waitFor(() => expect(stream.messages()).toContainEqual(pong(3)));
    await stream.end();
  });

  it('answers a batch over /mcp', async () => {
    const [path, headers] = await WAYS['/mcp with a session']!();
    const answer = await post(path, JSON.stringify([ping(1), call(2)]), headers);
    expect(answer.status).toBe(200);
    const events = [...(await answer.text()).matchAll(/^data: (\{.*)$/gm)].map(([, data]) => JSON.parse(data!) as Json);
    expect(events.map(({ id }) => id).sort()).toEqual([1, 2]);
  });
});
