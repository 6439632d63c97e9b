import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { HttpClient, InMemoryBackend, InProcessClient, MemoryVectors, openBuiltin } from '../../src/index.js';

describe('null in the place of an optional member', () => {
  const bodies: unknown[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      bodies.push(JSON.parse(Buffer.concat(parts).toString()));
      response.end('{"query_id": "q", "items": [], "rules": []}');
    });
  });
  let client: HttpClient;
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    client = new HttpClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  });
  afterAll(async () => {
    await client.close();
    server.close();
  });

  it('means what the client protocol says of an absent one, over HTTP', async () => {
    await client.query('tea', { domains: null, top_k: null, min_confidence: null });
    await client.feedback('q', { a: 'accepted' }, null);
    expect(bodies).toEqual([
      { context: 'tea', domains: null, top_k: 10, min_confidence: 0 },
      { query_id: 'q', outcomes: { a: 'accepted' }, source: 'unknown' },
    ]);
  });

  it('means what the client protocol says of an absent one, in process', async () => {
    const parts = {
      vectors: new MemoryVectors(),
      graph: new InMemoryBackend(),
      embedding: await openBuiltin('static'),
    };
    const inProcess = new InProcessClient(parts);
    const teas = Array.from({ length: 15 }, (_, i) => `Tea of harvest ${i} is green.`);
    const [id] = await inProcess.addConcepts(teas, 'tea');
    const answer = await inProcess.query('green tea', { domains: null, top_k: null, min_confidence: null });
    expect(answer.items).toHaveLength(10);
    await inProcess.feedback(answer.query_id, { [answer.items[0]!.id]: 'accepted' }, null);
    expect((await inProcess.explore(id!, null))?.node.id).toBe(id);
    expect(
      await inProcess.rules({ domains: null, concept_ids: null, categories: null, limit: null, offset: null }),
    ).toMatchObject({ rules: [] });
    await inProcess.close();
  });
});
