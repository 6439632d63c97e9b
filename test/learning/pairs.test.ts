import { describe, expect, it } from '@jest/globals';
import type { EdgeFilter } from '../../src/backends/graph/port.js';
import { edgeId, type GraphEdge, type Manifest } from '../../src/core/model.js';
import { collectPairs, type PairPorts, promotePairs } from '../../src/learning/feedback/pairs.js';
import { along, feedbackFixture, item } from './feedback-fixture.js';

async function setUp(edges: readonly GraphEdge[] = []) {
  const asked: EdgeFilter[] = [];
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
        asked.push(filter);
        return edges.filter((edge) => [edge.source_id, edge.target_id].every((end) => filter.among?.includes(end)));
      },
    },
    vectorsOf: async (ids) => new Map(ids.flatMap((id) => (vectors.has(id) ? [[id, vectors.get(id)!] as const] : []))),
    load: async (manifest) => void loaded.push(manifest),
  };
  return { fixture, ports, loaded, asked };
}

function uses(source_id: string, target_id: string): GraphEdge {
  const id = edgeId(source_id, 'USES', target_id);
  return { id, source_id, target_id, relation_type: 'USES', confidence: 1, properties: {} };
}

const ITEMS = [item('d:b'), item('d:a'), item('d:far'), item('e:a', { domain: 'e' })];

describe('the buffer of pairs', () => {
  it('notes close pairs of one domain that have no edge, once a query', async () => {
    const { fixture, ports } = await setUp();
    await fixture.ask('q1', ITEMS);
    expect(await collectPairs(ports)).toBe(1);
    expect(await collectPairs(ports)).toBe(0);
    expect(await fixture.interoception.status()).toMatchObject({ buffer: { buffered_edges: 1, total_promoted: 0 } });
    const [pair] = await fixture.store.db.selectFrom('pair_buffer').selectAll().execute();
    expect(pair).toMatchObject({ first_id: 'd:a', second_id: 'd:b', sightings: 1 });
    expect(pair!.similarity).toBeCloseTo(Math.cos(0.1 * Math.PI), 6);
    await fixture.close();
  });

  it('leaves out pairs that have an edge', async () => {
    const { fixture, ports } = await setUp([uses('d:b', 'd:a')]);
    await fixture.ask('q1', ITEMS);
    await collectPairs(ports);
    expect(await fixture.interoception.status()).toMatchObject({ buffer: { buffered_edges: 0 } });
    await fixture.close();
  });

  it('asks the graph once for all pairs of a query, and not at all where none is close', async () => {
    const { fixture, ports, asked } = await setUp([uses('d:c', 'd:a')]);
    await fixture.ask('q1', [...ITEMS, item('d:c')]);
    await collectPairs(ports);
    expect(asked).toHaveLength(1);
    expect([...asked[0]!.among!].sort()).toEqual(['d:a', 'd:b', 'd:c']);
    const pairs = await fixture.store.db.selectFrom('pair_buffer').select(['first_id', 'second_id']).execute();
    expect(pairs.map((pair) => [pair.first_id, pair.second_id]).sort()).toEqual([
      ['d:a', 'd:b'],
      ['d:b', 'd:c'],
    ]);
    await fixture.ask('q2', [item('d:a'), item('d:far'), item('e:a', { domain: 'e' })]);
    await collectPairs(ports);
    expect(asked).toHaveLength(1);
    await fixture.close();
  });

  it('promotes after three sightings, to a SIMILAR_TO edge of a system source', async () => {
    const { fixture, ports, loaded } = await setUp();
    for (const query of ['q1', 'q2', 'q3']) {
      expect(await promotePairs(ports)).toBe(0);
      await fixture.ask(query, ITEMS);
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

  it('promotes at once where both were accepted, and no longer where that was replaced', async () => {
    for (const [second, promoted] of [
      ['accepted', 1],
      ['rejected', 0],
    ] as const) {
      const { fixture, ports } = await setUp();
      await fixture.ask('q1', ITEMS);
      await collectPairs(ports);
      await fixture.feedback.record({ query_id: 'q1', outcomes: { 'd:a': 'accepted', 'd:b': 'accepted' } });
      await fixture.feedback.record({ query_id: 'q1', outcomes: { 'd:b': second } });
      expect(await promotePairs(ports)).toBe(promoted);
      await fixture.close();
    }
  });
});
