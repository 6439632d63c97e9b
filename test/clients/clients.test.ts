import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openBuiltin } from '../../src/backends/embedding/builtin.js';
import { MemoryVectors } from '../../src/backends/vector/memory.js';
import { HttpClient, type HttpClientOptions } from '../../src/clients/http.js';
import { InProcessClient } from '../../src/clients/in-process.js';
import type { Service } from '../../src/service.js';
import { clientContract, HELD } from '../contracts/client.contract.js';
import { ReferenceGraph } from '../contracts/graph/reference/reference-graph.js';
import { startWorld } from '../mcp/world.js';

const DOMAIN = 'guide';

function fill(service: Pick<Service, 'ingest'>) {
  return service.ingest.structured({ domain: DOMAIN, ...HELD });
}

function parts() {
  return {
    vectors: new MemoryVectors(),
    graph: new ReferenceGraph(),
    embedding: openBuiltin('static', () => undefined),
  };
}

const MODES: ReadonlyArray<readonly [string, Record<string, string>, HttpClientOptions]> = [
  ['without authentication', {}, {}],
  ['with a key', { SVC_API_KEYS: 'other,the-key' }, { api_key: 'the-key' }],
  ['with a signature', { SVC_HMAC_SECRET: 'secret', SVC_HMAC_REQUIRE_NONCE: '1' }, { hmac_secret: 'secret' }],
  ['with both', { SVC_API_KEYS: 'the-key', SVC_HMAC_SECRET: 'secret' }, { api_key: 'wrong', hmac_secret: 'secret' }],
  ['of a renamed service', { SVC_NAME: 'acme', ACME_HMAC_SECRET: 'secret' }, { hmac_secret: 'secret', name: 'acme' }],
];

for (const [name, environment, options] of MODES) {
  clientContract(`the HTTP client ${name}`, async () => {
    const world = await startWorld(environment);
    await fill(world.service);
    return { client: new HttpClient(world.b, options), domain: DOMAIN, close: world.close };
  });
}

clientContract('the in-process client over a service', async () => {
  const world = await startWorld();
  await fill(world.service);
  return { client: new InProcessClient(world.service), domain: DOMAIN, close: world.close };
});

clientContract('the in-process client over parts', async () => {
  const client = new InProcessClient({ ...parts(), mode: 'graph' });
  const { service } = client as unknown as { service(): Promise<Service> };
  await fill(await service.call(client));
  return { client, domain: DOMAIN, close: () => Promise.resolve() };
});

describe('the in-process client', () => {
  const client = new InProcessClient({ ...parts(), mode: 'vec' });
  const texts = [
    'Redis keeps data in memory. It is fast.',
    'Redis keeps data in memory. But it also writes to disk.',
    `${'A very long first sentence without an end '.repeat(5)}. And more.`,
  ];
  let ids: string[] = [];
  beforeAll(async () => {
    ids = await client.addConcepts([...texts, texts[0]!], 'notes');
  });
  afterAll(() => client.close());

  it('adds texts as concepts and answers an id for each; the same text has the same id', async () => {
    expect(ids).toHaveLength(4);
    expect(new Set(ids).size).toBe(3);
    expect(ids[3]).toBe(ids[0]);
    expect(await client.addConcepts([texts[1]!], 'notes')).toEqual([ids[1]]);
    expect(await client.addConcepts([], 'notes')).toEqual([]);
    expect((await client.domains())[0]).toMatchObject({ name: 'notes', concept_count: 3 });
  });

  it('names a concept by its first sentence', async () => {
    const [one, , three] = await client.getNodes(ids);
    expect(one).toMatchObject({ name: 'Redis keeps data in memory.', description: texts[0], domain: 'notes' });
    expect(three!.name.length).toBeLessThanOrEqual(80);
    expect(three!.description).toBe(texts[2]);
  });

  it('answers nodes in the order asked for, without those that do not exist', async () => {
    const nodes = await client.getNodes([ids[2]!, 'notes:none', ids[0]!]);
    expect(nodes.map((node) => node.id)).toEqual([ids[2], ids[0]]);
  });

  it('searches by cosine similarity alone in mode vec', async () => {
    const answer = await client.query('what is kept in memory');
    expect(answer.items.length).toBeGreaterThan(0);
    expect(answer.rules).toEqual([]);
  });

  it('refuses an empty text and an unknown mode', async () => {
    await expect(client.addConcepts(['a', ' '], 'notes')).rejects.toMatchObject({ code: 'invalid_input' });
    expect(() => new InProcessClient({ ...parts(), mode: 'fast' as 'vec' })).toThrow(/mode/);
  });

  it('leaves the parts as they are when it closes', async () => {
    const shared = parts();
    const one = new InProcessClient(shared);
    const [id] = await one.addConcepts(['Something lasting.'], 'd');
    await one.close();
    const other = new InProcessClient(shared);
    expect(await other.getNodes([id!])).toHaveLength(1);
    await other.close();
    await other.close();
    // It would open again with empty records.
    const closed = { code: 'conflict', message: 'The client is closed; make a new one.' };
    await expect(other.getNodes([id!])).rejects.toMatchObject(closed);
    await expect(other.query('something')).rejects.toMatchObject(closed);
  });
});
