import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { seedGroups } from '../../src/backends/graph/neo4j/rank/gds.js';

const seeds = fc.uniqueArray(
  fc.record({ id: fc.string({ minLength: 1, maxLength: 6 }), weight: fc.double({ min: 0, max: 5, noNaN: true }) }),
  { selector: (seed) => seed.id, maxLength: 60 },
);

function weightsIn(groups: ReturnType<typeof seedGroups>): Map<string, number> {
  const weights = new Map<string, number>();
  for (const { weight, ids } of groups) for (const id of ids) weights.set(id, (weights.get(id) ?? 0) + weight);
  return weights;
}

describe('groups of seeds for a PageRank without weights of seeds', () => {
  test('one group for seeds of one weight', () => {
    const groups = seedGroups(
      [1, 2, 3].map((n) => ({ id: `n${n}`, weight: 0.5 })),
      true,
    );
    expect(groups).toEqual([{ weight: 0.5, ids: ['n1', 'n2', 'n3'] }]);
  });

  test('a seed given twice counts for both', () => {
    const groups = seedGroups(
      [
        { id: 'a', weight: 1 },
        { id: 'a', weight: 2 },
      ],
      true,
    );
    expect(groups).toEqual([{ weight: 3, ids: ['a'] }]);
  });

  test('exact groups add up to the weights', () => {
    fc.assert(
      fc.property(seeds, (given) => {
        const expected = given.filter((seed) => seed.weight > 0).map(({ id, weight }) => [id, weight] as const);
        expect(weightsIn(seedGroups(given, true))).toEqual(new Map(expected));
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
        for (const { id, weight } of given) {
          if (weight > 0) expect(Math.abs(weights.get(id)! - weight)).toBeLessThanOrEqual(highest / 1000 + 1e-12);
          else expect(weights.has(id)).toBe(false);
        }
      }),
    );
  });
});
