import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  compose,
  type EmbeddingModel,
  HnswVectors,
  HttpClient,
  InMemoryBackend,
  InProcessClient,
  type KnowledgeClient,
  loadConfig,
  MemoryVectors,
  openSqlite,
  type Store,
} from '../../src/index.js';

/** What callers without types pass. */
type Untyped = Readonly<Record<keyof KnowledgeClient, (...given: unknown[]) => Promise<unknown>>>;

const invalid = (member: string) => ({ name: 'SvcError', code: 'invalid_input', details: { member } });

describe('a model that a caller passes', () => {
  const vector = new Float32Array(4).fill(0.5);
  const model = (made: (texts: number) => Float32Array[]): EmbeddingModel => ({
    name: 'own',
    dimension: 4,
    embed: async (texts) => made(texts.length),
    embedSpanned: async (texts) => made(texts.length).map((one) => ({ vector: one, spans: [] })),
    health: async () => undefined,
    close: async () => undefined,
  });
  const client = (made: (texts: number) => Float32Array[]) =>
    new InProcessClient({ vectors: new MemoryVectors(), graph: new InMemoryBackend(), embedding: model(made) });

  it('is refused with what it gave where that does not fit, and nothing is stored', async () => {
    const few = client((texts) => Array.from({ length: texts - 1 }, () => vector));
    await expect(few.addConcepts(['Sencha is green tea.', 'Assam is black tea.'], 'tea')).rejects.toThrow(
      'The embedding model own gave 1 vector for 2 texts; it must give one for each.',
    );
    expect(await few.domains()).toEqual([]);
    const short = client((texts) => Array.from({ length: texts }, () => vector.subarray(1)));
    await expect(short.addConcepts(['Sencha is green tea.'], 'tea')).rejects.toThrow(
      'gave a vector of 3 numbers; its dimension says 4',
    );
    const right = client((texts) => Array.from({ length: texts }, () => vector));
    expect(await right.addConcepts(['Sencha is green tea.'], 'tea')).toHaveLength(1);
    for (const one of [few, short, right]) await one.close();
  });
});

describe('parts of two stores', () => {
  it.each([
    ['a graph of its own store', () => ({ graph: new InMemoryBackend() })],
    ['a store beside them', (other: Store) => ({ graph: new InMemoryBackend({ store: other }), store: other })],
  ])('are refused before anything is written: %s', async (_name, parts) => {
    const [store, other] = [await openSqlite(':memory:'), await openSqlite(':memory:')];
    const client = (rest: ReturnType<typeof parts>) =>
      new InProcessClient({ vectors: new HnswVectors(store), embedding: null, ...rest });
    const apart = client(parts(other));
    await expect(apart.addConcepts(['Sencha is green tea.'], 'tea')).rejects.toMatchObject({
      ...invalid('vectors'),
      message: expect.stringContaining('lies in another store'),
    });
    const together = client({ graph: new InMemoryBackend({ store }) });
    expect(await together.addConcepts(['Sencha is green tea.'], 'tea')).toHaveLength(1);
    await together.close();
    for (const one of [store, other]) await one.close();
  });
});

describe('a client that is called wrongly', () => {
  let answer: { readonly status: number; readonly body: string; readonly headers?: Record<string, string> };
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    request.resume();
    request.on('end', () => response.writeHead(answer.status, answer.headers ?? {}).end(answer.body));
  });
  let url: string;
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });

  const parts = () => ({ vectors: new MemoryVectors(), graph: new InMemoryBackend(), embedding: null });
  const clients: ReadonlyArray<readonly [string, () => KnowledgeClient]> = [
    ['over HTTP', () => new HttpClient(url)],
    ['in process', () => new InProcessClient(parts())],
  ];

  it.each(clients)('says which member is wrong and sends nothing, %s', async (_where, open) => {
    const client = open() as unknown as Untyped;
    const file = 'samples/handbook.md';
    requests = 0;
    await expect(client.ingest(file)).rejects.toMatchObject(invalid('domain'));
    await expect(client.ingest(file, null)).rejects.toMatchObject(invalid('domain'));
    await expect(client.ingest(null, 'd')).rejects.toMatchObject(invalid('source_path'));
    await expect(client.ingest('', 'd')).rejects.toMatchObject(invalid('source_path'));
    await expect(client.explore()).rejects.toMatchObject(invalid('node_id'));
    await expect(client.explore(null)).rejects.toMatchObject(invalid('node_id'));
    await expect(client.query('tea', { top_k: Number.NaN })).rejects.toMatchObject(invalid('top_k'));
    await expect(client.query('tea', { min_confidence: Number.NaN })).rejects.toMatchObject(invalid('min_confidence'));
    await expect(client.query('tea', { signal: {} })).rejects.toMatchObject(invalid('signal'));
    await expect(client.ingest(file, 'd', { signal: 5 })).rejects.toMatchObject(invalid('signal'));
    expect(requests).toBe(0);
    await client.close();
  });

  it.each(clients)('takes null for no options, and nothing but an object for some, %s', async (_where, open) => {
    answer = { status: 200, body: '{"rules": [], "items": []}' };
    const client = open() as unknown as Untyped;
    const calls: ReadonlyArray<(options: unknown) => Promise<unknown>> = [
      (options) => client.query('tea', options),
      (options) => client.explore('a', 1, options),
      (options) => client.rules(options),
      (options) => client.feedback('q', { a: 'accepted' }, 'me', options),
      (options) => client.status(options),
      (options) => client.domains(options),
      (options) => client.ingest('samples/handbook.md', 'd', options),
    ];
    for (const call of calls) {
      const refused = await call(null).catch((error: unknown) => error);
      // What answers here is not the service, and no query is known in process.
      if (refused instanceof Error) expect(refused.name).toBe('SvcError');
      for (const options of [5, 'text', ['a'], true])
        await expect(call(options)).rejects.toMatchObject(invalid('options'));
    }
    await client.close();
  });

  it('says which nodes or records are wrong', async () => {
    const client = new InProcessClient(parts()) as unknown as Record<string, (given: unknown) => Promise<unknown>>;
    for (const ids of [null, undefined, 5, 'a', {}, [5]])
      await expect(client.getNodes!(ids)).rejects.toMatchObject(invalid('ids'));
    const graph = new InMemoryBackend() as unknown as Record<string, (given?: unknown) => Promise<unknown>>;
    await graph.connect!();
    for (const given of [null, undefined, 5, 'a', ['a']]) {
      await expect(graph.add_node!(given)).rejects.toMatchObject(invalid('node'));
      await expect(graph.add_edge!(given)).rejects.toMatchObject(invalid('edge'));
      await expect(graph.add_rule!(given)).rejects.toMatchObject(invalid('rule'));
    }
    for (const seeds of [null, 5, {}])
      await expect(graph.personalized_pagerank!(seeds)).rejects.toMatchObject(invalid('seeds'));
    await graph.disconnect!();
    await client.close!(undefined);
  });

  it.each(clients)('takes null for absent, %s', async (_where, open) => {
    answer = { status: 200, body: '{"rules": [], "node": null}' };
    const client = open() as unknown as Untyped;
    await expect(client.rules({ domains: null, limit: null })).resolves.toMatchObject({ rules: [] });
    await client.close();
  });

  it('refuses a key that no header can carry, without quoting it', () => {
    for (const api_key of ['geheim\n', 'ключ']) {
      expect(() => new HttpClient(url, { api_key })).toThrow(
        'api_key must be a text of printable characters, without a line break.',
      );
    }
  });

  it.each(['null', '[]', '{}', '{"query_id": "q"}'])('says that %s did not come from the service', async (body) => {
    answer = { status: 200, body };
    const client = new HttpClient(url);
    const foreign = { name: 'SvcError', code: 'internal', message: expect.stringContaining('is not the service') };
    await expect(client.query('tea')).rejects.toMatchObject(foreign);
    await expect(client.rules()).rejects.toMatchObject(foreign);
    if (body !== '[]') await expect(client.domains()).rejects.toMatchObject(foreign);
    await client.close();
  });

  it('tells that a call may succeed later, and when', async () => {
    const client = new HttpClient(url, { attempts: 1 });
    answer = { status: 429, body: '{"error": "Slower.", "code": "rate_limited"}', headers: { 'retry-after': '7' } };
    await expect(client.status()).rejects.toMatchObject({ code: 'rate_limited', retriable: true, retryAfter: 7 });
    answer = { status: 503, body: '{"error": "Away.", "code": "unavailable"}' };
    await expect(client.status()).rejects.toMatchObject({ code: 'unavailable', retriable: true });
    answer = { status: 400, body: '{"error": "Wrong.", "code": "invalid_input"}' };
    await expect(client.status()).rejects.toMatchObject({ code: 'invalid_input', retriable: false });
    await client.close();
  });

  it('names the part that is missing', async () => {
    for (const missing of ['vectors', 'graph'] as const) {
      const client = new InProcessClient({ ...parts(), [missing]: undefined } as never);
      await expect(client.domains()).rejects.toMatchObject(invalid(missing));
    }
    const { embedding: _none, ...without } = parts();
    const client = new InProcessClient(without as never);
    await expect(client.domains()).resolves.toEqual([]);
    await client.close();
  });

  it('says which of the texts is none', async () => {
    const client = new InProcessClient(parts());
    await expect(client.addConcepts(['tea', 5] as never, 'd')).rejects.toMatchObject(invalid('texts.1'));
    await expect(client.addConcepts('tea' as never, 'd')).rejects.toMatchObject(invalid('texts'));
    await client.close();
  });
});

describe('a service that the library opens', () => {
  const directory = mkdtempSync(join(tmpdir(), 'svc-misuse-'));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));
  const configOf = (directory: string) =>
    loadConfig({ environment: { SVC_DATA_DIR: directory, SVC_EMBEDDING: 'none', SVC_LOG_LEVEL: 'error' } });

  it('has its directory to itself until it is closed', async () => {
    const service = await compose(configOf(directory));
    await expect(compose(configOf(directory))).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringMatching(/uses .*; reach the service that runs there by HttpClient, or set another/),
    });
    await service.close();
    await (await compose(configOf(directory))).close();
  });

  it('says that a directory cannot be made', async () => {
    await expect(compose(configOf('/proc/svc'))).rejects.toMatchObject({ code: 'forbidden' });
  });
});
