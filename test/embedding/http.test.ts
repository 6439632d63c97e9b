import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type HttpEmbeddingOptions, openHttp } from '../../src/backends/embedding/http/http.js';
import { openStatic } from '../../src/backends/embedding/static/static.js';
import { embeddingContract } from '../contracts/embedding.contract.js';
import { type EmbeddingServer, serveEmbeddings, status } from './embedding-server.js';

let server: EmbeddingServer;
beforeAll(async () => {
  server = await serveEmbeddings(openStatic());
});
afterAll(() => server.close());
beforeEach(() => {
  server.received.length = 0;
  server.interventions.length = 0;
});

const KEY = 'sk-very-secret-1234';
const open = (options: Partial<HttpEmbeddingOptions> = {}) =>
  openHttp({ kind: 'openai', url: server.url, model: 'table', key: KEY, ...options });

embeddingContract('openai over HTTP', () => open());
embeddingContract('ollama over HTTP', () => open({ kind: 'ollama' }));

describe('a model behind a server', () => {
  it('learns its dimension from a first call and carries kind and model in its name', async () => {
    const model = await open({ kind: 'ollama', model: 'nomic/embed:v1' });
    expect(model.dimension).toBe(256);
    expect(model.name).toBe('ollama-nomic-embed-v1');
    expect(server.received).toHaveLength(1);
  });

  it('asks nothing at opening when the dimension is known', async () => {
    await open({ dimension: 256 });
    expect(server.received).toEqual([]);
  });

  it.each([
    ['openai', '', '/v1/embeddings'],
    ['openai', '/v1/', '/v1/embeddings'],
    ['openai', '/proxy/v1/embeddings', '/proxy/v1/embeddings'],
    ['ollama', '/', '/api/embed'],
    ['ollama', '/api', '/api/embed'],
  ] as const)('calls the path of %s for a base that ends with "%s"', async (kind, base, path) => {
    const model = await open({ kind, url: server.url + base, dimension: 256 });
    await model.embed(['x']);
    expect(server.received[0]).toMatchObject({ path, authorization: `Bearer ${KEY}`, model: 'table', texts: ['x'] });
  });

  it('sends long lists in batches and keeps their order', async () => {
    const model = await open({ dimension: 256, batch: 10 });
    const texts = Array.from({ length: 25 }, (_, i) => `text number ${i}`);
    const vectors = await model.embed(texts);
    expect(server.received.map(({ texts: sent }) => sent.length)).toEqual([10, 10, 5]);
    const expected = await openStatic().embed(texts);
    vectors.forEach((vector, i) => void expect(vector[0]).toBeCloseTo(expected[i]![0]!, 5));
  });

  it('waits and tries again when the server is overloaded', async () => {
    const model = await open({ dimension: 256 });
    server.interventions.push(status(429, {}, { 'retry-after': '0' }), status(503, 'busy', { 'retry-after': '0' }));
    expect(await model.embed(['x'])).toHaveLength(1);
    expect(server.received).toHaveLength(3);
  });

  it('gives up after its attempts, with an error that may be retried', async () => {
    const model = await open({ dimension: 256, attempts: 2 });
    server.interventions.push(status(429, {}, { 'retry-after': '0' }), status(429, { error: { message: 'quota' } }));
    await expect(model.embed(['x'])).rejects.toMatchObject({ code: 'unavailable', retriable: true, message: /quota/ });
    expect(server.received).toHaveLength(2);
  });

  it('does not try again what the server refuses', async () => {
    const model = await open({ dimension: 256 });
    server.interventions.push(status(404, { error: 'model "table" not found' }));
    await expect(model.embed(['x'])).rejects.toMatchObject({ code: 'unavailable', message: /not found/ });
    expect(server.received).toHaveLength(1);
  });

  it('never tells the key', async () => {
    const model = await open({ dimension: 256 });
    for (const code of [400, 401, 403, 500]) {
      server.interventions.push(status(code, { error: { message: `Incorrect API key provided: ${KEY}` } }));
      const error = await model.embed(['x']).catch((reason: unknown) => reason);
      expect(error).toMatchObject({ code: 'unavailable' });
      expect(`${error} ${JSON.stringify(error)} ${(error as Error).stack}`).not.toContain(KEY);
    }
  });

  it.each([
    ['no JSON', status(200, '<html>')],
    ['too few vectors', status(200, { data: [] })],
    ['no list', status(200, null)],
    ['texts as numbers', status(200, { embeddings: [['a']] })],
    ['a zero vector', status(200, { embeddings: [[0, 0]] })],
    ['an empty vector', status(200, { embeddings: [[]] })],
  ])('refuses an answer with %s', async (_, intervention) => {
    const model = await open({ dimension: 256 });
    server.interventions.push(intervention);
    await expect(model.embed(['x'])).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('refuses another dimension than before', async () => {
    const model = await open({ dimension: 1024 });
    await expect(model.embed(['x'])).rejects.toMatchObject({ code: 'conflict' });
  });

  it('stops waiting after its time-out', async () => {
    const model = await open({ dimension: 256, timeout: 50 });
    server.interventions.push(() => {});
    await expect(model.embed(['x'])).rejects.toMatchObject({ code: 'unavailable', retriable: true });
  });

  it('stops when its signal is given up, during a request and between attempts', async () => {
    const model = await open({ dimension: 256 });
    for (const intervention of [() => {}, status(503, {}, { 'retry-after': '20' })]) {
      server.interventions.push(intervention);
      const control = new AbortController();
      setTimeout(() => control.abort(new Error('given up')), 50);
      await expect(model.embed(['x'], control.signal)).rejects.toThrow('given up');
    }
  });

  it('says that a dead server cannot be reached', async () => {
    const other = await serveEmbeddings(openStatic());
    await other.close();
    await expect(openHttp({ kind: 'openai', url: other.url, model: 'm' })).rejects.toMatchObject({
      code: 'unavailable',
      message: /cannot be reached/,
    });
    const model = await openHttp({ kind: 'openai', url: other.url, model: 'm', dimension: 3 });
    await expect(model.health()).rejects.toMatchObject({ code: 'unavailable' });
  });

  it.each(['', 'not an address', 'ftp://host', 'http://user:secret@host'])('refuses the address "%s"', async (url) => {
    await expect(open({ url })).rejects.toMatchObject({ code: 'invalid_input' });
  });

  it('fails waiting calls when it is closed', async () => {
    const model = await open({ dimension: 256 });
    server.interventions.push(() => {});
    const waiting = expect(model.embed(['x'])).rejects.toMatchObject({ code: 'unavailable' });
    await new Promise((resolve) => setTimeout(resolve, 20));
    await model.close();
    await waiting;
  });
});
