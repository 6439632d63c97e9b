import { describe, expect, it } from '@jest/globals';
import { structuredManifest } from '../../src/ingest/structured.js';

describe('structuredManifest', () => {
  it('keeps in the metadata of a rule what a rule set shows beside it', async () => {
    const { rules } = await structuredManifest({
      domain: 'd',
      concepts: [],
      rules: [
        {
          text: 'Oil the pump.',
          context: 'In winter',
          rationale: 'It wears out.',
          tags: ['oil'],
          metadata: { by: 'Bo' },
        },
        { text: 'Lock the shed.', metadata: { context: 'At night' } },
        { text: 'Pay the rent.', context: null },
      ],
    });
    expect(rules.map(({ metadata }) => metadata)).toEqual([
      { by: 'Bo', context: 'In winter', rationale: 'It wears out.', tags: ['oil'] },
      { context: 'At night' },
      undefined,
    ]);
    const bad = { domain: 'd', concepts: [], rules: [{ text: 'Oil the pump.', tags: ['oil', 7] }] };
    await expect(structuredManifest(bad)).rejects.toThrow('rules.0.tags.1 must be a word.');
  });

  it('turns a batch into assertions with confidence 1', async () => {
    const manifest = await structuredManifest({
      domain: 'd',
      concepts: [
        { name: ' Redis ', description: 'A store.', id: 'r', properties: { kind: 'db' }, unknown: 1 },
        { name: 'App', confidence: 0.4, description: null },
      ],
      edges: [
        { source: 'App', target: 'Redis', relation: 'requires' },
        { source: 'App', target: 'r', relation_type: 'uses', relation: null },
      ],
      rules: [{ text: 'Back Redis up.', category: 'operations' }],
    });
    expect(manifest).toMatchObject({
      source: { kind: 'structured', key: manifest.content_hash },
      concepts: [
        { name: 'Redis', description: 'A store.', id: 'r', properties: { kind: 'db' }, confidence: 1 },
        { name: 'App', confidence: 0.4 },
      ],
      edges: [
        { source: 'App', target: 'Redis', relation: 'REQUIRES', confidence: 1 },
        { source: 'App', target: 'r', relation: 'USES' },
      ],
      rules: [{ text: 'Back Redis up.', category: 'operations', confidence: 1 }],
      passages: [],
      warnings: [],
    });
    expect(manifest.concepts[0]).not.toHaveProperty('unknown');
  });

  it('takes both names of a relation where they say the same, and refuses them where they differ', async () => {
    const batch = (relation_type: unknown) => ({
      domain: 'd',
      concepts: [{ name: 'A' }, { name: 'B' }],
      edges: [{ source: 'A', target: 'B', relation: 'uses', relation_type }],
    });
    expect((await structuredManifest(batch('USES'))).edges).toMatchObject([{ relation: 'USES' }]);
    for (const other of ['requires', 5])
      await expect(structuredManifest(batch(other))).rejects.toMatchObject({
        code: 'invalid_input',
        details: { member: 'edges.0.relation_type' },
      });
  });

  it('has the given id as its identity, and the same hash for the same batch', async () => {
    const make = (name: string) => structuredManifest({ domain: 'd', concepts: [{ name }], source_id: 'crm' });
    const [a, b, c] = [await make('A'), await make('A'), await make('B')];
    expect(a.source).toEqual({ domain: 'd', kind: 'structured', key: 'crm', label: 'crm' });
    expect(a.content_hash).toBe(b.content_hash);
    expect(a.content_hash).not.toBe(c.content_hash);
  });

  it('counts an element given twice once, the later one, with a warning', async () => {
    const manifest = await structuredManifest({
      domain: 'd',
      concepts: [
        { name: 'Redis', description: 'old' },
        { name: 'REDIS', description: 'new' },
      ],
      edges: [
        { source: 'A', target: 'B', relation: 'uses' },
        { source: 'a', target: 'B', relation: 'USES' },
      ],
    });
    expect(manifest.concepts).toMatchObject([{ name: 'REDIS', description: 'new' }]);
    expect(manifest.edges).toHaveLength(1);
    expect(manifest.warnings).toHaveLength(2);
  });

  it('bounds properties and metadata as JSON, names of members too', async () => {
    const properties = (length: number) => ({ ['k'.repeat(length)]: 1 });
    const batch = { domain: 'd', concepts: [{ name: 'A', properties: properties(99_000) }] };
    expect((await structuredManifest(batch)).concepts).toHaveLength(1);
    await expect(
      structuredManifest({ domain: 'd', concepts: [{ name: 'A', properties: properties(100_000) }] }),
    ).rejects.toMatchObject({ code: 'invalid_input', details: { member: 'concepts.0.properties' } });
    await expect(
      structuredManifest({ domain: 'd', concepts: [], rules: [{ text: 'Back up.', metadata: properties(100_000) }] }),
    ).rejects.toMatchObject({ code: 'invalid_input', details: { member: 'rules.0.metadata' } });
  });

  it.each([
    [{ concepts: ['Redis'] }, 'concepts.0'],
    [{ concepts: [{ name: 'A' }, {}] }, 'concepts.1.name'],
    [{ concepts: [{ name: '  ' }] }, 'concepts.0.name'],
    [{ concepts: [{ name: 7 }] }, 'concepts.0.name'],
    [{ concepts: [{ name: 'A', confidence: 2 }] }, 'concepts.0.confidence'],
    [{ concepts: [{ name: 'A', confidence: Number.NaN }] }, 'concepts.0.confidence'],
    [{ concepts: [{ name: 'A', properties: [] }] }, 'concepts.0.properties'],
    [{ concepts: [], edges: [{ source: 'A', relation: 'uses' }] }, 'edges.0.target'],
    [{ concepts: [], edges: [{ source: 'A', target: 'B' }] }, 'edges.0.relation'],
    [{ concepts: [], edges: [{ source: 'A', target: 'B', relation_type: 'has a' }] }, 'edges.0.relation_type'],
    [{ concepts: [], edges: [null] }, 'edges.0'],
    [{ concepts: [], rules: [{ category: 'x' }] }, 'rules.0.text'],
    [{ concepts: [], rules: [{ text: 'x', concepts: ['a', 3] }] }, 'rules.0.concepts.1'],
    [{ concepts: [], rules: [{ text: 'x', metadata: 'y' }] }, 'rules.0.metadata'],
  ])('names the bad member of %j', async (input, member) => {
    await expect(structuredManifest({ domain: 'd', ...input })).rejects.toMatchObject({
      code: 'invalid_input',
      details: { member },
      message: expect.stringContaining(member),
    });
  });

  it('keeps C, C++ and C# apart and strips what no store takes', async () => {
    const { concepts, warnings } = await structuredManifest({
      domain: 'd',
      concepts: ['C', 'C++', 'C#', 'a\0b', 'x\ud800y'].map((name) => ({ name })),
    });
    expect(concepts.map((concept) => concept.name)).toEqual(['C', 'C++', 'C#', 'ab', 'x\ufffdy']);
    expect(warnings).toEqual([]);
  });

  it.each([
    ['concepts.0.name', { concepts: [{ name: 'a'.repeat(501) }] }, '501 characters; at most 500'],
    ['concepts.0.description', { concepts: [{ name: 'a', description: 'a '.repeat(60_000) }] }, 'at most 100000'],
    ['rules.0.text', { concepts: [], rules: [{ text: 'word '.repeat(200_000) }] }, 'at most 10000'],
  ])('refuses a text that is too long for %s', async (member, batch, words) => {
    await expect(structuredManifest({ domain: 'd', ...batch })).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining(words),
      details: { member },
    });
  });
});
