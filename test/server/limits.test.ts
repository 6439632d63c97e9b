import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { openStatic } from '../../src/backends/embedding/static/static.js';
import { loadConfig } from '../../src/config.js';
import { signRequest } from '../../src/core/hmac.js';
import { Arrivals } from '../../src/server/limits/arrivals.js';
import { type Limits, limitsOf } from '../../src/server/limits/limits.js';
import { type EmbeddingServer, serveEmbeddings } from '../embedding/embedding-server.js';
import { httpV1 } from '../mcp/connections.js';
import { openService, type TestService } from '../service/harness.js';
import { waitFor } from '../support/wait-for.js';
import { PATIENT, type Serving, serving } from './harness.js';

const sockets: Socket[] = [];
let server: Serving | undefined;
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await server?.close();
  server = undefined;
});

/** Sends the head of a request and the first bytes of its body; the rest does not come. Resolves to what is answered. */
function drip(url: string, length = 1000, headers: Record<string, string> = {}): Promise<string> {
  const { hostname, port, host } = new URL(url);
  const given = Object.entries({ Host: host, 'Content-Type': 'application/json', ...headers });
  const lines = given.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () =>
      socket.write(`POST /v1/echo HTTP/1.1\r\n${lines}Content-Length: ${length}\r\n\r\n{"text":`),
    );
    sockets.push(socket);
    let answer = '';
    socket.on('data', (data) => {
      answer += String(data);
    });
    socket.once('close', () => resolve(answer));
    socket.once('error', () => resolve(answer));
  });
}

/** Sends the head of a request and part of a body of no announced length; the rest does not come. */
function pour(url: string, bytes: number, headers: Record<string, string>): Promise<string> {
  const { hostname, port, host } = new URL(url);
  const given = Object.entries({ Host: host, 'Content-Type': 'application/json', ...headers });
  const lines = given.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => {
      socket.write(`POST /v1/echo HTTP/1.1\r\n${lines}Transfer-Encoding: chunked\r\n\r\n`);
      socket.write(`${bytes.toString(16)}\r\n{"text":"${'a'.repeat(bytes - 9)}\r\n`);
    });
    sockets.push(socket);
    let answer = '';
    socket.on('data', (data) => {
      answer += String(data);
      resolve(answer);
    });
    socket.once('close', () => resolve(answer));
    socket.once('error', () => resolve(answer));
  });
}

/** Limits under which no body is ever slow enough to be cut off. */
function patient(limits: { most?: number; bytes?: number }): Limits {
  const arrivals = new Arrivals({ most: 100, bytes: 1e6, largest: 1e6, ...limits }, Number.POSITIVE_INFINITY);
  return { ...limitsOf(loadConfig({ environment: {} }), Date.now), arrivals };
}

/** Resolves to the status of a whole request with a body. */
async function post(url: string): Promise<number> {
  const headers = { 'Content-Type': 'application/json' };
  return (await fetch(`${url}/v1/echo`, { method: 'POST', headers, body: '{"text":"a"}' })).status;
}

describe('bodies on their way', () => {
  it('take no slot: whole requests are served while senders drip', async () => {
    server = await serving({ SVC_MAX_RUNNING: '2', SVC_MAX_WAITING: '0' });
    for (let i = 0; i < 8; i += 1) void drip(server.url);
    for (let i = 0; i < 20; i += 1) expect(await post(server.url)).toBe(200);
  });

  it('are bounded: one more is refused with 503 and Retry-After, and what has no body is served', async () => {
    server = await serving({}, { limits: patient({ most: 3 }) });
    const { url } = server;
    for (let i = 0; i < 3; i += 1) void drip(url);
    await waitFor(async () => expect(await post(url)).toBe(503), PATIENT);
    const refused = await fetch(`${url}/v1/echo`, { method: 'POST', body: '{"text":"a"}' });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    expect((await fetch(`${url}/v1/echo?text=a`)).status).toBe(200);
    for (const socket of sockets.splice(0)) socket.destroy();
    await waitFor(async () => expect(await post(url)).toBe(200), PATIENT);
  });

  it('are bounded in bytes, also while they are signed for', async () => {
    server = await serving({ SVC_HMAC_SECRET: 'secret' }, { limits: patient({ bytes: 100_000 }) });
    const { url } = server;
    const parts = { timestamp: String(Math.floor(Date.now() / 1000)), method: 'POST', target: '/v1/echo' };
    const headers = { 'X-Svc-Timestamp': parts.timestamp, 'X-Svc-Signature': signRequest('secret', parts, 'x') };
    void drip(url, 90_000, headers);
    const large = JSON.stringify({ text: 'a'.repeat(20_000) });
    const send = async () => {
      const signed = { ...headers, 'X-Svc-Signature': signRequest('secret', parts, large) };
      const more = { method: 'POST', headers: { ...signed, 'Content-Type': 'application/json' }, body: large };
      return (await fetch(`${url}/v1/echo`, more)).status;
    };
    await waitFor(async () => expect(await send()).toBe(503), PATIENT);
    for (const socket of sockets.splice(0)) socket.destroy();
    await waitFor(async () => expect(await send()).toBe(200), PATIENT);
  });

  it('are bounded in bytes, also where none announces its length, signed for or not', async () => {
    for (const environment of [{}, { SVC_HMAC_SECRET: 'secret' }]) {
      server = await serving(environment, { limits: patient({ bytes: 600_000 }) });
      const timestamp = String(Math.floor(Date.now() / 1000));
      // No signature of anybody: it is looked at when the body is there.
      const headers = { 'X-Svc-Timestamp': timestamp, 'X-Svc-Signature': 'a'.repeat(64) };
      const answers = Array.from({ length: 8 }, () => pour(server!.url, 400_000, headers));
      const first = await Promise.race(answers);
      expect(first).toMatch(/^HTTP\/1\.1 503 .*Retry-After: 1\r\n.*"code":"unavailable"/is);
      for (const socket of sockets.splice(0)) socket.destroy();
      const texts = await Promise.all(answers);
      // One body alone has its room, whatever the others do.
      expect(texts.filter((text) => text.startsWith('HTTP/1.1 503')).length).toBeGreaterThanOrEqual(1);
      expect(texts.filter((text) => text === '').length).toBeGreaterThanOrEqual(1);
      await server.close();
      server = undefined;
    }
  });

  describe('that had their time', () => {
    let now = 0;
    beforeEach(() => {
      now = 0;
      jest.spyOn(performance, 'now').mockImplementation(() => now);
    });
    afterEach(() => void jest.restoreAllMocks());
    const request = (received: number, length?: number) => ({
      socket: { bytesRead: 0, received },
      complete: false,
      headers: length === undefined ? {} : { 'content-length': String(length) },
    });
    /** Enters requests; returns which of them were cut off so far, and lets their bytes arrive. */
    const enter = (arrivals: Arrivals, requests: ReadonlyArray<ReturnType<typeof request>>) => {
      const errors: unknown[] = requests.map(() => undefined);
      for (const [i, one] of requests.entries())
        arrivals.enter(one as never, true).cutOff.catch((error: unknown) => {
          errors[i] = error;
        });
      for (const { socket } of requests) socket.bytesRead = socket.received;
      return async () => {
        await new Promise((resolve) => setImmediate(resolve));
        return errors;
      };
    };
    const CUT = { code: 'unavailable', retriable: true, retryAfter: 1 };

    it('lose the slowest when another needs its place', async () => {
      const arrivals = new Arrivals({ most: 2, bytes: 1e6, largest: 1e6 }, 20);
      const errors = enter(arrivals, [request(5000), request(10)]);
      expect(() => arrivals.enter(request(0) as never, true)).toThrow(/Too many bodies/);
      now = 30;
      arrivals.enter(request(0) as never, true);
      expect(await errors()).toEqual([undefined, expect.objectContaining(CUT)]);
    });

    it('lose the slowest when another needs their bytes, and none for a body that finds no room all the same', async () => {
      const arrivals = new Arrivals({ most: 100, bytes: 1000, largest: 2000 }, 20);
      const errors = enter(arrivals, [request(300, 400), request(10, 400)]);
      const enters = (length: number) => () => arrivals.enter(request(0, length) as never, true);
      expect(enters(500)).toThrow(/fill the memory/);
      now = 30;
      expect(enters(1500)).toThrow(/fill the memory/);
      expect(await errors()).toEqual([undefined, undefined]);
      enters(500)();
      expect(await errors()).toEqual([undefined, expect.objectContaining(CUT)]);
      // One that is too large by itself is refused for that, and takes no room from others.
      enters(5000)();
      expect(await errors()).toEqual([undefined, expect.objectContaining(CUT)]);
    });
  });
});

describe('an address with too many failures', () => {
  const now = Date.parse('2029-01-01T00:00:10Z');
  let time = now;
  let nonce = 0;
  const send = (secret: string) => {
    const parts = { timestamp: String(time / 1000), nonce: `n${nonce++}`, method: 'GET', target: '/v1/echo?text=a' };
    return fetch(`${server!.url}${parts.target}`, {
      headers: {
        'X-Svc-Timestamp': parts.timestamp,
        'X-Svc-Nonce': parts.nonce,
        'X-Svc-Signature': signRequest(secret, parts),
      },
    });
  };

  it('still gets good signatures through, and a bounded number of wrong ones looked at', async () => {
    time = now;
    server = await serving({ SVC_HMAC_SECRET: 'good', SVC_AUTH_FAILURES: '3' }, { clock: () => time });
    // A neighbour without credentials.
    for (let i = 0; i < 3; i += 1) expect((await fetch(`${server.url}/v1/echo?text=a`)).status).toBe(401);
    expect((await fetch(`${server.url}/v1/echo?text=a`)).status).toBe(429);
    for (let i = 0; i < 30; i += 1) expect((await send('good')).status).toBe(200);
    // A guesser: ten in a second are verified, more are not.
    const guesses = await Promise.all(Array.from({ length: 30 }, (_, i) => send(`guess ${i}`)));
    const statuses = guesses.map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
    const refused = guesses.find(({ status }) => status === 429);
    expect(refused?.headers.get('retry-after')).toBe('1');
    expect((await send('good')).status).toBe(429);
    time += 1000;
    expect((await send('good')).status).toBe(200);
  });
});

describe('with one slot and an embedding server that does not answer', () => {
  let embeddings: EmbeddingServer;
  let test: TestService;
  let release: (() => void) | undefined;
  const start = async (environment: Record<string, string>) => {
    test = await openService({
      SVC_EMBEDDING: 'openai',
      SVC_EMBEDDING_URL: embeddings.url,
      SVC_EMBEDDING_MODEL: 'text-embedding-3-small',
      SVC_MAX_RUNNING: '1',
      SVC_MAX_WAITING: '0',
      ...environment,
    });
    await test.post('/v1/ingest/structured', { domain: 'tea', concepts: [{ name: 'Green tea' }] });
    embeddings.interventions.push((response) => {
      release = () => {
        response.statusCode = 400;
        response.end('{}');
      };
    });
  };
  const domains = async () => (await test.get('/v1/domains')).status;
  beforeEach(async () => {
    release = undefined;
    embeddings = await serveEmbeddings(openStatic());
  });
  afterEach(async () => {
    release?.();
    await test.close();
    await embeddings.close();
  });

  it('a query beyond its time keeps its slot until it really ends', async () => {
    await start({ SVC_QUERY_TIMEOUT_MS: '300' });
    const late = await test.post('/v1/query', { context: 'What is brewed?' });
    expect([late.status, late.body.error]).toEqual([503, expect.stringContaining('SVC_QUERY_TIMEOUT_MS')]);
    expect(await domains()).toBe(503);
    expect((await test.get('/v1/status')).status).toBe(200);
    await waitFor(() => expect(release).toBeDefined(), PATIENT);
    release!();
    await waitFor(async () => expect(await domains()).toBe(200), PATIENT);
  });

  it('calls of tools count as requests do', async () => {
    await start({});
    const client = await httpV1(`${test.url}/mcp`);
    try {
      const slow = client.call('svc_query', { context: 'What is brewed?' });
      await waitFor(() => expect(release).toBeDefined(), PATIENT);
      expect(await domains()).toBe(503);
      const refused = await client.call('svc_domains', {});
      expect(refused.isError).toBe(true);
      expect(JSON.parse(refused.content[0]!.text!)).toMatchObject({
        code: 'unavailable',
        error: expect.stringContaining('try again'),
      });
      expect((await client.call('svc_status', {})).isError).not.toBe(true);
      release!();
      await slow;
      await waitFor(async () => expect(await domains()).toBe(200), PATIENT);
    } finally {
      await client.close();
    }
  });
});
