import { describe, expect, it } from '@jest/globals';
import { openBuiltin } from '../../src/backends/embedding/builtin.js';
import { MemoryVectors } from '../../src/backends/vector/memory.js';
import { candidatePairs } from '../../src/ingest/entities/candidates.js';
import type { DomainEntity } from '../../src/ingest/entities/domain-entities.js';
import { nameForms } from '../../src/ingest/entities/name-forms.js';
import type { LoadPorts } from '../../src/ingest/write/ports.js';

const entity = (id: string, name: string): DomainEntity => ({
  id,
  name,
  forms: nameForms(name),
  type: null,
  aliases: new Set(),
  description: '',
  quotes: [],
  passages: new Set(),
  degree: 0,
});

describe('the pairs that are worth comparing', () => {
  it('hold neighbours by vector of the domain, also where ids hold colons', async () => {
    const vectors = new MemoryVectors();
    await vectors.createIndex('concepts', { dimension: 2 });
    await vectors.upsert('concepts', [
      { id: 'mines:iso:9001', vector: [1, 0], metadata: {}, partition: 'mines' },
      { id: 'mines:iso:copper', vector: [0.99, 0.1], metadata: {}, partition: 'mines' },
      { id: 'mines:far', vector: [-1, 0], metadata: {}, partition: 'mines' },
      { id: 'others:near', vector: [1, 0], metadata: {}, partition: 'others' },
    ]);
    const entities = [
      entity('mines:iso:9001', 'Quality'),
      entity('mines:iso:copper', 'Excellence'),
      entity('mines:far', 'Basalt'),
    ];
    const ports = { vectors, indexName: 'concepts', embedding: openBuiltin('static') } as unknown as LoadPorts;
    const ids = async (neighbours: number) =>
      (await candidatePairs(ports, { domain: 'mines', entities, bounds: { neighbours, largest_block: 40 } })).map(
        (pair) => pair.map(({ id }) => id),
      );
    // Each one's nearest: the far one's is the second.
    expect(await ids(1)).toContainEqual(['mines:iso:9001', 'mines:iso:copper']);
    expect(await ids(1)).not.toContainEqual(['mines:far', 'mines:iso:9001']);
    expect(await ids(0)).toEqual([]);
  });

  it('are a bounded number for each concept, whatever its name shares with others', async () => {
    // Every word is shared by 40 names, and each name has ten: 390 others for each.
    const words = (i: number) =>
      Array.from({ length: 10 }, (_, k) => `word${k}x${Math.floor(((i * (k + 3)) % 400) / 40)}`);
    const entities = Array.from({ length: 400 }, (_, i) => entity(`mines:${i}`, `${words(i).join(' ')} n${i}`));
    const ports = { embedding: null, indexName: '' } as unknown as LoadPorts;
    const bounds = { neighbours: 0, largest_block: 40 };
    const pairs = await candidatePairs(ports, { domain: 'mines', entities, bounds });
    const counts = new Map<string, number>();
    for (const { id } of pairs.flat()) counts.set(id, (counts.get(id) ?? 0) + 1);
    expect(Math.max(...counts.values())).toBe(100);
    expect(new Set(pairs.map((pair) => pair.map(({ id }) => id).join(' '))).size).toBe(pairs.length);
  });

  it('are looked for no longer once the request is cancelled', async () => {
    const vectors = new MemoryVectors();
    await vectors.createIndex('concepts', { dimension: 2 });
    const entries = [
      { id: 'mines:gold', vector: [1, 0], metadata: {}, partition: 'mines' },
      { id: 'mines:tin', vector: [0, 1], metadata: {}, partition: 'mines' },
    ];
    await vectors.upsert('concepts', entries);
    const cancelled = new AbortController();
    let asked = 0;
    const query: typeof vectors.query = (...given) => {
      asked += 1;
      cancelled.abort(new Error('cancelled'));
      return vectors.query(...given);
    };
    const fetch: typeof vectors.fetch = (...given) => vectors.fetch(...given);
    const ports = { vectors: { fetch, query }, indexName: 'concepts', embedding: openBuiltin('static') };
    const entities = [entity('mines:gold', 'Gold'), entity('mines:tin', 'Tin')];
    const found = candidatePairs(ports as unknown as LoadPorts, {
      domain: 'mines',
      entities,
      bounds: { neighbours: 1, largest_block: 40 },
      signal: cancelled.signal,
    });
    await expect(found).rejects.toThrow('cancelled');
    expect(asked).toBe(1);
  });
});
