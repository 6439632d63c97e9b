import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openWorld, type World } from '../../bench/retrieval/world.js';
import { conceptId } from '../../src/core/ids.js';

let world: World;
const id = (name: string) => conceptId('services', name);

beforeAll(async () => {
  world = await openWorld('none');
  await world.ingest.structured({
    domain: 'services',
    concepts: ['Billing', 'Ledger', 'Store', 'Disk', 'Rack'].map((name) => ({ name, description: `${name} it is.` })),
    edges: [
      { source: 'Billing', target: 'Ledger', relation: 'requires' },
      { source: 'Ledger', target: 'Store', relation: 'uses' },
      { source: 'Store', target: 'Disk', relation: 'uses' },
      { source: 'Disk', target: 'Rack', relation: 'part_of' },
    ],
    rules: [
      { text: 'Never stop Billing at night.', category: 'safety' },
      { text: 'Label every Rack.', category: 'housekeeping' },
    ],
  });
  await world.ingest.text({
    text: '# Night shift\n\nThe night shift watches Billing until six in the morning.\n',
    domain: 'services',
    format: 'markdown',
    name: 'shift',
  });
});

afterAll(() => world.close());

describe('explore', () => {
  test('answers null for a node that does not exist', async () => {
    expect(await world.retrieval.explore('services:nothing')).toBeNull();
  });

  test('shows the node, its edges, neighbours and rules', async () => {
    const found = (await world.retrieval.explore(id('Billing')))!;
    expect(found.node).toMatchObject({ id: id('Billing'), name: 'Billing', domain: 'services' });
    expect(found.edges).toContainEqual({
      source_id: id('Billing'),
      target_id: id('Ledger'),
      relation_type: 'REQUIRES',
      confidence: 1,
      properties: {},
    });
    expect(found.neighbors.map((node) => node.name)).toEqual(expect.arrayContaining(['Ledger', 'Night shift']));
    expect(found.rules.map((rule) => rule.text)).toContain('Never stop Billing at night.');
  });

  test('says where it leaves neighbours out, and only there', async () => {
    const few = (await world.retrieval.explore(id('Billing'), 3, 2))!;
    expect(few.neighbors.map((node) => node.name)).toContain('Ledger');
    expect([few.truncated, few.neighbors.some((node) => node.name === 'Store')]).toEqual([true, false]);
    expect(await world.retrieval.explore(id('Billing'), 3)).not.toHaveProperty('truncated');
  });

  test('shows at most 50 passages that mention a name, and says that there are more', async () => {
    const text = (count: number) =>
      Array.from({ length: count }, (_, i) => `# Note ${i}\n\nNumber ${i} is of Zanzibar Harbour.\n`).join('\n');
    const around = async (count: number) => {
      const domain = `harbour-${count}`;
      await world.ingest.structured({ domain, concepts: [{ name: 'Zanzibar Harbour' }], edges: [], rules: [] });
      await world.ingest.text({ text: text(count), domain, format: 'markdown', name: 'notes' });
      return (await world.retrieval.explore(conceptId(domain, 'Zanzibar Harbour')))!;
    };
    const [some, many] = [await around(50), await around(51)];
    expect([some.neighbors.length, some.truncated]).toEqual([50, undefined]);
    expect([many.neighbors.length, many.truncated]).toEqual([50, true]);
  });

  test('shows the first 100 rules of a node by id, and says that there are more', async () => {
    const around = async (count: number) => {
      const domain = `rules-${count}`;
      const rules = Array.from({ length: count }, (_, i) => ({ text: `Keep part ${i} away from the Furnace.` }));
      await world.ingest.structured({ domain, concepts: [{ name: 'Furnace' }], edges: [], rules });
      const concept = conceptId(domain, 'Furnace');
      const all = (await world.retrieval.rules({ concept_ids: [concept] })).rules.map((rule) => rule.id);
      const { rules: shown, truncated } = (await world.retrieval.explore(concept))!;
      expect(shown.map((rule) => rule.id)).toEqual(all.slice(0, 100));
      await world.ingest.forgetDomain(domain);
      return [all.length, truncated];
    };
    expect(await around(100)).toEqual([100, undefined]);
    expect(await around(101)).toEqual([101, true]);
    // Beyond a page of the store, rules of a node are read another way.
    expect(await around(1200)).toEqual([1200, true]);
  });

  test('clamps the depth into 1..3', async () => {
    const names = async (depth: number) =>
      (await world.retrieval.explore(id('Billing'), depth))!.neighbors.map((node) => node.name);
    expect(await names(-4)).toEqual(await names(1));
    expect(await names(99)).toEqual(await names(3));
    expect(await names(3)).toContain('Disk');
    expect(await names(3)).not.toContain('Rack');
    expect(await names(2)).not.toContain('Disk');
  });

  test('returns at most as many nodes of these hops as asked for, the nearest', async () => {
    const around = (limit?: number) => world.retrieval.explore(id('Billing'), 3, limit);
    const reached = async (limit?: number) => {
      const edges = (await around(limit))!.edges.filter(({ properties }) => properties.derived !== true);
      return [...new Set(edges.flatMap((edge) => [edge.source_id, edge.target_id]))].sort();
    };
    expect((await reached()).length).toBeGreaterThan(3);
    expect(await reached(3)).toHaveLength(3);
    expect(await reached(2)).toEqual([id('Billing'), id('Ledger')].sort());
    expect(await reached(1)).toEqual([]);
  });

  test('accepts a passage and shows what it mentions', async () => {
    const [passage] = await world.parts.graph.findNodes({ domain: 'services', kind: 'passage' });
    const found = (await world.retrieval.explore(passage!.id))!;
    expect(found.node.properties).toMatchObject({ kind: 'passage' });
    expect(found.edges).toContainEqual(
      expect.objectContaining({ source_id: passage!.id, target_id: id('Billing'), relation_type: 'LINKS_TO' }),
    );
  });
});

describe('rules', () => {
  test('are explicit and derived, with relevance = confidence', async () => {
    const { rules, domain_count, projection } = await world.retrieval.rules({});
    expect(projection).toBe('rules');
    expect(domain_count).toBe(1);
    expect(new Set(rules.map((rule) => rule.derivation))).toEqual(new Set(['explicit', 'derived']));
    expect(rules.every((rule) => rule.relevance === rule.confidence)).toBe(true);
  });

  test('are filtered by category, concept, origin and confidence; empty lists mean all', async () => {
    const list = async (filter: Parameters<typeof world.retrieval.rules>[0]) =>
      (await world.retrieval.rules(filter)).rules;
    const all = await list({ domains: [], categories: [], concept_ids: [] });
    expect((await list({ categories: ['safety'] })).map((rule) => rule.text)).toEqual(['Never stop Billing at night.']);
    expect((await list({ include_derived: false })).every((rule) => rule.derivation === 'explicit')).toBe(true);
    expect((await list({ concept_ids: [id('Rack')] })).length).toBeLessThan(all.length);
    expect((await list({ min_confidence: 1 })).length).toBeLessThanOrEqual(all.length);
  });

  test('of a domain that does not exist are an error', async () => {
    await expect(world.retrieval.rules({ domains: ['nowhere'] })).rejects.toMatchObject({ code: 'domain_not_found' });
  });
});

describe('without an embedding model', () => {
  test('mode vec is unavailable and says what to do', async () => {
    await expect(world.retrieval.query({ context: 'x', top_k: 3, mode: 'vec' })).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('mode auto'),
    });
  });

  test('text and links answer, and comparing shows an empty cosine side', async () => {
    const { items } = await world.retrieval.query({ context: 'What does Billing require?', top_k: 3 });
    expect(items.map((item) => item.content)).toContain('Ledger: Ledger it is.');
    const compared = await world.retrieval.compare({ context: 'Billing', top_k: 3 });
    expect(compared.vec_only.items).toEqual([]);
    expect(compared.graph_enhanced.items.length).toBeGreaterThan(0);
  });
});
