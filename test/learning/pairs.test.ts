import { describe, expect, it } from '@jest/globals';
import type { EdgeFilter } from '../../src/backends/graph/port.js';
import { edgeId, type GraphEdge, type Manifest } from '../../src/core/model.js';
import { collectPairs, type PairPorts, promotePairs } from '../../src/learning/feedback/pairs.js';
import { along, feedbackFixture, item } from './feedback-fixture.js';

async function setUp(edges: readonly GraphEdge[] = []) {
  const requested: EdgeFilter[] = [];
  const fixture = await feedbackFixture();
  const vectors = new Map([
    ['d:a', along(0)],
    ['d:b', along(0.2)],
    ['d:c', along(0.1)],
    ['d:far', along(1)],
    ['e:a', along(0)],
  ]);
  const loaded: Manifest[] = [];
  const ports: PairPorts & { load: (manifest: Manifest) => Promise<void> } = {
    store: fixture.store,
    clock: () => fixture.now,
    settings: fixture.interoception.settings,
    graph: {
      getEdges: async (filter = {}) => {
        requested.push(filter);
        return edges.filter((edge) => [edge.source_id, edge.target_id].every((id) => filter.among?.includes(id)));
      },
    },
    vectorsOf: async (ids) => new Map(ids.flatMap((id) => (vectors.has(id) ? [[id, vectors.get(id)!] as const] : []))),
    load: async (manifest) => void loaded.push(manifest),
  };
  return { fixture, ports, loaded, requested };
}

function uses(source_id: string, target_id: string): GraphEdge {
  const id = edgeId(source_id, 'USES', target_id);
  return { id, source_id, target_id, relation_type: 'USES', confidence: 1, properties: {} };
}

const ITEMS = [item('d:b'), item('d:a'), item('d:far'), item('e:a', { domain: 'e' })];

/** Feedback that calls every item of a query useful. */
async function useful({ fixture }: Awaited<ReturnType<typeof setUp>>, query_id: string, items = ITEMS): Promise<void> {
  await fixture.ask(query_id, items);
  const outcomes = Object.fromEntries(items.map(({ id }, index) => [id, index % 2 === 0 ? 'accepted' : 'partial']));
  await fixture.feedback.record({ query_id, outcomes });
}

describe('the buffer of pairs', () => {
  it('learns nothing from queries without feedback', async () => {
    const { fixture, ports } = await setUp();
    for (let i = 0; i < 20; i += 1) await fixture.ask(`q${i}`, ITEMS);
    expect(await collectPairs(ports)).toBe(0);
    expect(await promotePairs(ports)).toBe(0);
    expect(await fixture.store.db.selectFrom('pair_buffer').selectAll().execute()).toEqual([]);
    await fixture.close();
  });

  it('records close useful pairs of one domain that have no edge, once a query', async () => {
    const world = await setUp();
    const { fixture, ports } = world;
    await useful(world, 'q1');
    expect(await collectPairs(ports)).toBe(1);
    expect(await collectPairs(ports)).toBe(0);
    expect(await fixture.interoception.status()).toMatchObject({ buffer: { buffered_edges: 1, total_promoted: 0 } });
    const [pair] = await fixture.store.db.selectFrom('pair_buffer').selectAll().execute();
    expect(pair).toMatchObject({ first_id: 'd:a', second_id: 'd:b', sightings: 1 });
    expect(pair!.similarity).toBeCloseTo(Math.cos(0.1 * Math.PI), 6);
    await fixture.close();
  });

  it('counts a query once, however often it is rated and collected, also at the same time', async () => {
    const world = await setUp();
    const { fixture, ports } = world;
    await useful(world, 'q1');
    await Promise.all([collectPairs(ports), collectPairs(ports), collectPairs(ports)]);
    await fixture.feedback.record({ query_id: 'q1', outcomes: { 'd:a': 'accepted' }, source: 'another' });
    await Promise.all([collectPairs(ports), collectPairs(ports)]);
    expect(await fixture.store.db.selectFrom('pair_buffer').select('sightings').execute()).toEqual([{ sightings: 1 }]);
    await fixture.close();
  });

  it('deletes a pair that the replaced feedback no longer calls useful', async () => {
    const world = await setUp();
    const { fixture, ports } = world;
    await useful(world, 'q1');
    await collectPairs(ports);
    await fixture.feedback.record({ query_id: 'q1', outcomes: { 'd:b': 'rejected' } });
    await collectPairs(ports);
    expect(await fixture.store.db.selectFrom('pair_buffer').selectAll().execute()).toEqual([]);
    await fixture.close();
  });

  it('stays within its bound: the oldest pairs with the fewest sightings are deleted', async () => {
    const { fixture, ports } = await setUp();
    const rows = Array.from({ length: 30 }, (_, i) => ({
      first_id: `d:${String(i).padStart(2, '0')}`,
      second_id: 'd:z',
      domain: 'd',
      sightings: i === 0 ? 5 : 1,
      similarity: 1,
      promoted_at: null,
      updated_at: fixture.now - 30 + i,
    }));
    await fixture.store.write(async ({ db }) => void (await db.insertInto('pair_buffer').values(rows).execute()));
    await collectPairs({ ...ports, settings: { ...ports.settings, buffer_pairs: 10 } });
    const left = await fixture.store.db.selectFrom('pair_buffer').select('first_id').orderBy('first_id').execute();
    expect(left.map((row) => row.first_id)).toEqual(['d:00', ...rows.slice(-9).map((row) => row.first_id)]);
    await fixture.close();
  });

  it('leaves out pairs that have an edge', async () => {
    const world = await setUp([uses('d:b', 'd:a')]);
    const { fixture, ports } = world;
    await useful(world, 'q1');
    await collectPairs(ports);
    expect(await fixture.interoception.status()).toMatchObject({ buffer: { buffered_edges: 0 } });
    await fixture.close();
  });

  it('reads the graph once for all pairs of a query, and not at all where none is close', async () => {
    const world = await setUp([uses('d:c', 'd:a')]);
    const { fixture, ports, requested } = world;
    await useful(world, 'q1', [...ITEMS, item('d:c')]);
    await collectPairs(ports);
    expect(requested).toHaveLength(1);
    expect([...requested[0]!.among!].sort()).toEqual(['d:a', 'd:b', 'd:c']);
    const pairs = await fixture.store.db.selectFrom('pair_buffer').select(['first_id', 'second_id']).execute();
    expect(pairs.map((pair) => [pair.first_id, pair.second_id]).sort()).toEqual([
      ['d:a', 'd:b'],
      ['d:b', 'd:c'],
    ]);
    await useful(world, 'q2', [item('d:a'), item('d:far'), item('e:a', { domain: 'e' })]);
    await collectPairs(ports);
    expect(requested).toHaveLength(1);
    await fixture.close();
  });

  it('promotes after two useful queries, to a SIMILAR_TO edge of a system source', async () => {
    const world = await setUp();
    const { fixture, ports, loaded } = world;
    for (const query of ['q1', 'q2']) {
      expect(await promotePairs(ports)).toBe(0);
      await useful(world, query);
      await collectPairs(ports);
    }
    expect(await promotePairs(ports)).toBe(1);
    expect(await promotePairs(ports)).toBe(0);
    expect(loaded).toHaveLength(1);
    expect(loaded[0]).toMatchObject({
      domain: 'd',
      append: true,
      source: { kind: 'system', key: 'interoception' },
      edges: [{ source: 'd:a', target: 'd:b', relation: 'SIMILAR_TO', properties: { provenance: 'interoception' } }],
    });
    expect(await fixture.interoception.status()).toMatchObject({ buffer: { buffered_edges: 0, total_promoted: 1 } });
    await fixture.close();
  });
});
