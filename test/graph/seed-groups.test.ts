import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { seedGroups } from '../../src/backends/graph/neo4j/pagerank/gds.js';

const seeds = fc.uniqueArray(
  fc.record({ ref: fc.nat(), weight: fc.double({ min: 0, minExcluded: true, max: 5, noNaN: true }) }),
  { selector: (seed) => seed.ref, maxLength: 60 },
);

function weightsIn(groups: ReturnType<typeof seedGroups>): Map<number, number> {
  const weights = new Map<number, number>();
  for (const { weight, refs } of groups) for (const ref of refs) weights.set(ref, (weights.get(ref) ?? 0) + weight);
  return weights;
}

describe('groups of seeds for a PageRank without weights of seeds', () => {
  test('one group for seeds of one weight', () => {
    const groups = seedGroups(
      [1, 2, 3].map((ref) => ({ ref, weight: 0.5 })),
      true,
    );
    expect(groups).toEqual([{ weight: 0.5, refs: [1, 2, 3] }]);
  });

  test('exact groups add up to the weights', () => {
    fc.assert(
      fc.property(seeds, (given) => {
        const expected = new Map(given.map(({ ref, weight }) => [ref, weight]));
        expect(weightsIn(seedGroups(given, true))).toEqual(expected);
      }),
    );
  });

  test('quick groups are ten at most and near the weights', () => {
    fc.assert(
      fc.property(seeds, (given) => {
        const groups = seedGroups(given, false);
        expect(groups.length).toBeLessThanOrEqual(10);
        const weights = weightsIn(groups);
        const highest = Math.max(0, ...given.map((seed) => seed.weight));
        for (const { ref, weight } of given) {
          expect(Math.abs(weights.get(ref)! - weight)).toBeLessThanOrEqual(highest / 1000 + 1e-12);
        }
      }),
    );
  });
});
