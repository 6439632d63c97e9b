import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { openSqlite } from '../../src/backends/store/engine/sqlite.js';
import type { LinearModel } from '../../src/learning/feedback/adjustments.js';
import { adapt } from '../../src/learning/ranker/adapt.js';
import { type Choice, dot } from '../../src/learning/ranker/fit-order.js';
import { packFeatures, unpackFeatures } from '../../src/learning/ranker/query-features.js';
import { logistic } from '../../src/learning/ranker/solve.js';
import { BASE, choices, describeDomainRankers, TABLE } from './domain-rankers.suite.js';

/** Share of the pairs of a right and a wrong item that stand in the right order. */
function inOrder(weights: readonly number[], of: readonly Choice[]): number {
  let pairs = 0;
  let right = 0;
  for (const { x, gold } of of) {
    for (const [i, one] of x.entries()) {
      for (const [j, other] of x.entries()) {
        if (!gold[i] || gold[j]) continue;
        pairs += 1;
        if (dot(weights, one) > dot(weights, other)) right += 1;
      }
    }
  }
  return right / pairs;
}

describe('weights that learn from ratings', () => {
  const seen = choices(40);
  const unseen = choices(120).slice(40);

  it('order answers that nobody rated better', async () => {
    const { weights } = await adapt(BASE, TABLE, seen);
    expect(inOrder(BASE.weights, unseen)).toBeLessThan(0.6);
    expect(inOrder(weights, unseen)).toBeGreaterThan(0.9);
  });

  it('do so with a fifth of the ratings wrong', async () => {
    const { weights } = await adapt(BASE, TABLE, choices(40, 0.2));
    expect(inOrder(weights, unseen)).toBeGreaterThan(0.8);
  });

  it.each([0, 0.2, 0.5])('keep how sure the scores are, with a share of %d wrong', async (wrong) => {
    const rated = choices(40, wrong);
    const adapted = await adapt(BASE, TABLE, rated);
    const mean = ({ intercept, weights }: LinearModel): number => {
      const all = rated.flatMap(({ x }) => x.map((values) => logistic(intercept + dot(weights, values))));
      return all.reduce((sum, p) => sum + p, 0) / all.length;
    };
    const deviation = ({ weights }: LinearModel): number => {
      const apart = rated.flatMap(({ x }) => {
        const scores = x.map((values) => dot(weights, values));
        const middle = scores.reduce((sum, s) => sum + s, 0) / scores.length;
        return scores.map((s) => (s - middle) ** 2);
      });
      return Math.sqrt(apart.reduce((sum, s) => sum + s, 0) / apart.length);
    };
    expect(mean(adapted)).toBeCloseTo(mean(BASE), 6);
    expect(deviation(adapted)).toBeCloseTo(deviation(BASE), 6);
  });

  it('never count evidence the wrong way, and leave what answers share alone', async () => {
    const turned = seen.map(({ x, gold }) => ({ x, gold: gold.map((one) => !one) }));
    const { weights } = await adapt(BASE, TABLE, turned);
    expect(weights[1]).toBe(0);
    expect(weights[2]).toBe(BASE.weights[2]);
  });
});

describe('what items were ranked by', () => {
  it('comes back from the log, place by place', () => {
    const values = fc.array(fc.double({ min: -7.9, max: 7.9, noNaN: true }), { maxLength: 40 });
    const features = fc.option(
      fc.record({
        kind: fc.constantFrom('document' as const, 'message' as const),
        table: fc.integer({ min: -32_768, max: 32_767 }),
        values,
      }),
    );
    fc.assert(
      fc.property(fc.array(fc.record({ features }), { maxLength: 60 }), (items) => {
        const packed = packFeatures(items);
        const back = packed === null ? [] : unpackFeatures(packed);
        const kept = items
          .slice(0, 50)
          .flatMap(({ features: one }, place) => (one === null ? [] : [{ ...one, place }]));
        expect(back.map(({ values: _, ...one }) => one)).toEqual(kept.map(({ values: _, ...one }) => one));
        back.forEach((one, i) => {
          const far = one.values.filter((value, j) => Math.abs(value - kept[i]!.values[j]!) >= 1 / 4096);
          expect(far).toEqual([]);
        });
      }),
    );
  });
});

describe('the weights of a domain', () => {
  describeDomainRankers(() => openSqlite(':memory:'));
});
