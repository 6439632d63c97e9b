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
});
