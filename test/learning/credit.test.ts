import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { edgeId, type GraphEdge } from '../../src/core/model.js';
import { causalDag } from '../../src/learning/credit/causal-dag.js';
import { Credit, creditDeltas } from '../../src/learning/credit/credit.js';
import { along, feedbackFixture, item, taught } from './feedback-fixture.js';

function edge(source: string, relation: string, target: string, confidence = 1): GraphEdge {
  return {
    id: edgeId(source, relation, target),
    source_id: source,
    target_id: target,
    relation_type: relation,
    confidence,
    properties: {},
  };
}

const deltas = (rated: Parameters<typeof creditDeltas>[0], edges: readonly GraphEdge[]) =>
  Object.fromEntries([...creditDeltas(rated, causalDag(edges))].map(([id, sum]) => [id, [sum.alpha, sum.beta]]));

describe('credit', () => {
  it('flows up a chain, halved and weighed at every hop', () => {
    // a → b → c by REQUIRES .9 and USES .75; c accepted: b .5·.75, a .375·.5·.9.
    const result = deltas([{ id: 'c', outcome: 'accepted' }], [edge('a', 'REQUIRES', 'b'), edge('b', 'USES', 'c')]);
    expect(result.c).toEqual([1, 0]);
    expect(result.b![0]).toBeCloseTo(0.375, 12);
    expect(result.a![0]).toBeCloseTo(0.16875, 12);
  });

  it('sums over the two ways of a diamond', () => {
    const edges = [
      edge('a', 'REQUIRES', 'b'),
      edge('a', 'REQUIRES', 'c'),
      edge('b', 'REQUIRES', 'd'),
      edge('c', 'SUPPORTS', 'd'),
    ];
    const result = deltas([{ id: 'd', outcome: 'accepted' }], edges);
    expect(result.b![0]).toBeCloseTo(0.45, 12);
    expect(result.c![0]).toBeCloseTo(0.35, 12);
    expect(result.a![0]).toBeCloseTo(0.45 * 0.45 + 0.35 * 0.45, 12);
  });

  it('runs against the edge where the relation is a reverse one', () => {
    // b IMPLEMENTS a: a causes b's DAG parent is b's target.
    const result = deltas(
      [{ id: 'b', outcome: 'accepted' }],
      [edge('b', 'IMPLEMENTS', 'a'), edge('b', 'PART_OF', 'w'), edge('b', 'REFINES', 'g', 0.5)],
    );
    expect(result.a![0]).toBeCloseTo(0.425, 12);
    expect(result.w![0]).toBeCloseTo(0.4, 12);
    expect(result.g![0]).toBeCloseTo(0.2, 12);
    expect(deltas([{ id: 'a', outcome: 'accepted' }], [edge('b', 'IMPLEMENTS', 'a')])).toEqual({ a: [1, 0] });
  });

  it('breaks a cycle at its weakest edge', () => {
    // a → b .9, b → c .75, c → a .7 (weakest, dropped): from c up to b and a, not on to c again.
    const edges = [edge('a', 'REQUIRES', 'b'), edge('b', 'USES', 'c'), edge('c', 'SUPPORTS', 'a')];
    const result = deltas([{ id: 'a', outcome: 'accepted' }], edges);
    expect(result).toEqual({ a: [1, 0] });
    expect(Object.keys(deltas([{ id: 'c', outcome: 'accepted' }], edges)).sort()).toEqual(['a', 'b', 'c']);
  });

  it('keeps mixed outcomes apart: positive to alpha, negative to beta', () => {
    const edges = [edge('a', 'REQUIRES', 'good'), edge('a', 'REQUIRES', 'bad'), edge('a', 'REQUIRES', 'soso')];
    const result = deltas(
      [
        { id: 'good', outcome: 'accepted' },
        { id: 'bad', outcome: 'rejected' },
        { id: 'soso', outcome: 'partial' },
      ],
      edges,
    );
    expect(result.good).toEqual([1, 0]);
    expect(result.bad).toEqual([0, 1]);
    expect(result.soso![0]).toBeCloseTo(0.3, 12);
    expect(result.a![0]).toBeCloseTo(0.45 + 0.135, 12);
    expect(result.a![1]).toBeCloseTo(0.45, 12);
  });

  it('stops where less than a hundredth is left', () => {
    const edges = Array.from({ length: 9 }, (_, i) => edge(`n${i + 1}`, 'REQUIRES', `n${i}`));
    const result = deltas([{ id: 'n0', outcome: 'accepted' }], edges);
    expect(Object.keys(result)).toHaveLength(6);
    expect(result.n5![0]).toBeCloseTo(0.45 ** 5, 12);
  });

  it('leaves out relations without a causal meaning', () => {
    const edges = ['CONTRADICTS', 'SIMILAR_TO', 'ALTERNATIVE_TO', 'BELONGS_TO', 'INVENTED'].map((type) =>
      edge('a', type, 'b'),
    );
    expect(causalDag(edges)).toEqual([]);
  });

  const graph = fc.array(
    fc.record({
      source: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
      target: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
      relation: fc.constantFrom('REQUIRES', 'USES', 'SUPPORTS', 'IMPLEMENTS', 'PART_OF', 'REFINES'),
      confidence: fc.constantFrom(0.2, 0.5, 0.8, 1),
    }),
    { maxLength: 18 },
  );

  it('does not depend on the order of edges or items', () => {
    fc.assert(
      fc.property(graph, fc.integer(), (list, seed) => {
        const edges = [
          ...new Map(
            list.map((e) => edge(e.source, e.relation, e.target, e.confidence)).map((e) => [e.id, e]),
          ).values(),
        ];
        const shuffled = edges
          .map((e, i) => [(i * 7919 + seed) % 101, e] as const)
          .sort((x, y) => x[0] - y[0])
          .map(([, e]) => e);
        const rated = [
          { id: 'a', outcome: 'accepted' as const },
          { id: 'd', outcome: 'rejected' as const },
        ];
        expect(deltas(rated, edges)).toEqual(deltas([...rated].reverse(), shuffled));
      }),
    );
  });

  it('drops exactly what dropping the weakest edge of a cycle again and again would drop', () => {
    fc.assert(
      fc.property(graph, (list) => {
        const edges = [
          ...new Map(
            list.map((e) => edge(e.source, e.relation, e.target, e.confidence)).map((e) => [e.id, e]),
          ).values(),
        ];
        expect(causalDag(edges)).toEqual(naive(edges));
      }),
      { numRuns: 300 },
    );
  });
});

/** The definition, literally: while there is a cycle, drop its weakest edge, lowest id first. */
function naive(edges: readonly GraphEdge[]) {
  let arcs = edges
    .flatMap((one) => causalDag([one]).map((arc) => ({ ...arc, id: one.id })))
    .sort((x, y) => x.strength - y.strength || (x.id < y.id ? -1 : 1));
  arcs = arcs.filter((arc, i) => !arcs.slice(i + 1).some((other) => other.from === arc.from && other.to === arc.to));
  const reaches = (from: string, to: string, seen = new Set<string>()): boolean => {
    if (from === to) return true;
    seen.add(from);
    return arcs.some((arc) => arc.from === from && !seen.has(arc.to) && reaches(arc.to, to, seen));
  };
  for (;;) {
    const weakest = arcs.find((arc) => reaches(arc.to, arc.from));
    if (weakest === undefined) break;
    arcs = arcs.filter((arc) => arc !== weakest);
  }
  return arcs.sort((x, y) => (x.id < y.id ? -1 : 1)).map(({ from, to, strength }) => ({ from, to, strength }));
}

describe('credit through feedback', () => {
  const edges = [edge('d:a', 'REQUIRES', 'd:b'), edge('d:b', 'REQUIRES', 'd:c')];
  const credit = (edge_count = edges.length) =>
    new Credit({
      getEdges: async ({ source_id, target_id } = {}) =>
        edges.filter(
          (one) => (source_id ?? one.source_id) === one.source_id && (target_id ?? one.target_id) === one.target_id,
        ),
      getDomain: async (name) => ({
        name,
        description: '',
        concept_count: 3,
        edge_count,
        rule_count: 0,
        passages: 0,
      }),
      version: async () => 1,
    });

  it('reaches the posteriors of ancestors and the ranking', async () => {
    const fixture = await feedbackFixture({ credit: credit(), creditWeight: 0.05 });
    await fixture.ask('q1', [item('d:c')]);
    expect(await fixture.feedback.record({ query_id: 'q1', outcomes: { 'd:c': 'accepted' } })).toMatchObject({
      credit: { concept_count: 3, direct_count: 1, ancestor_count: 2 },
    });
    const amounts = await fixture.interoception.itemPriors('something else entirely', along(1), ['d:a', 'd:b', 'd:x']);
    expect(amounts.get('d:b')).toBeGreaterThan(amounts.get('d:a')!);
    expect(amounts.get('d:a')).toBeGreaterThan(0);
    expect(amounts.has('d:x')).toBe(false);
    await fixture.close();
  });

  it('is taken back exactly when feedback is replaced', async () => {
    const states = [];
    for (const outcomes of [['accepted', 'partial', 'rejected'], ['rejected']]) {
      const fixture = await feedbackFixture({ credit: credit() });
      await fixture.ask('q1', [item('d:c'), item('d:b')]);
      for (const outcome of outcomes) await fixture.feedback.record({ query_id: 'q1', outcomes: { 'd:c': outcome } });
      states.push(await taught(fixture.store));
      await fixture.close();
    }
    expect(states[0]).toEqual(states[1]);
    expect(states[1]).toMatchObject({
      credit: [{ arm_id: 'd:a', alpha: 1 }, { arm_id: 'd:b' }, { arm_id: 'd:c', beta: 2, pulls: 1 }],
    });
  });

  it('reaches every item that parallel feedback of one query accepts, the same as one after another', async () => {
    const ids = Array.from({ length: 8 }, (_, i) => `d:i${i}`);
    const states = [];
    for (const parallel of [true, false]) {
      const fixture = await feedbackFixture({ credit: credit() });
      await fixture.ask(
        'q1',
        ids.map((id) => item(id)),
      );
      const rate = (id: string) => fixture.feedback.record({ query_id: 'q1', outcomes: { [id]: 'accepted' } });
      if (parallel) await Promise.all(ids.map(rate));
      else for (const id of ids) await rate(id);
      states.push(((await taught(fixture.store)) as { credit: unknown }).credit);
      await fixture.close();
    }
    expect(states[0]).toEqual(ids.map((arm_id) => ({ arm_id, alpha: 2, beta: 1, pulls: 1 })));
    expect(states[1]).toEqual(states[0]);
  });

  it('counts items of a large domain that parallel feedback rated meanwhile', async () => {
    // So many edges that only what leads to the rated items is read: the others' causes are read when they turn up.
    const fixture = await feedbackFixture({ credit: credit(1_000_000) });
    await fixture.ask('q1', [item('d:b'), item('d:c')]);
    await Promise.all(
      ['d:b', 'd:c'].map((id) => fixture.feedback.record({ query_id: 'q1', outcomes: { [id]: 'accepted' } })),
    );
    expect(await taught(fixture.store)).toMatchObject({
      credit: [
        { arm_id: 'd:a', alpha: expect.closeTo(1 + 0.45 + 0.2025, 5) },
        { arm_id: 'd:b', alpha: expect.closeTo(1 + 1 + 0.45, 5) },
        { arm_id: 'd:c', alpha: 2 },
      ],
    });
    await fixture.close();
  });
});
