import { describe, expect, test } from '@jest/globals';
import { carriedByChains } from '../../src/retrieval/score/chain-ends.js';

const shares = { first: 0.1, second: 0.4, fading: 0.2 };
const probability = (logOdds: number): number => 1 / (1 + Math.exp(-logOdds));

/** Returns the probabilities that items reach; `ends`: place of the start and gap, by length. */
function reached(
  items: ReadonlyArray<{
    readonly evidence: number;
    readonly besides?: number;
    readonly first?: readonly [number, number];
    readonly second?: readonly [number, number];
    readonly factor?: number;
  }>,
): number[] {
  const end = (of?: readonly [number, number]) => (of === undefined ? undefined : { from: of[0], gap: of[1] });
  const carried = carriedByChains(
    items.map(({ evidence, besides = 0, first, second, factor = 1 }) => ({
      ...{ evidence, besides, factors: { first: factor, second: factor } },
      ends: {
        ...(first === undefined ? {} : { first: end(first)! }),
        ...(second === undefined ? {} : { second: end(second)! }),
      },
    })),
    shares,
  );
  return carried.map(({ evidence }) => probability(evidence));
}

describe('what chains carry to where they end', () => {
  test('is a share of how likely the item is that they start from', () => {
    const [start, end] = reached([{ evidence: 3 }, { evidence: -8, first: [0, 0] }]);
    expect(start).toBeCloseTo(probability(3), 9);
    expect(end).toBeCloseTo(0.1 * probability(3), 9);
  });

  test('fades with the distance to the strongest chain', () => {
    const [, end] = reached([{ evidence: 3 }, { evidence: -8, first: [0, -0.2] }]);
    expect(end).toBeCloseTo((0.1 * probability(3)) / Math.E, 9);
  });

  test('goes on over two bridges from what one bridge has reached', () => {
    const [, middle, end] = reached([
      { evidence: 3 },
      { evidence: -8, first: [0, 0] },
      { evidence: -9, second: [1, 0] },
    ]);
    expect(end).toBeCloseTo(0.4 * middle!, 9);
  });

  test('lowers nothing, and never reaches the item that it starts from', () => {
    const [start, good, end] = reached([
      { evidence: 1 },
      { evidence: 0.9, first: [0, 0] },
      { evidence: -3, second: [0, 0], factor: 9 },
    ]);
    expect(good).toBeCloseTo(probability(0.9), 9);
    expect(end).toBeLessThanOrEqual(start!);
  });

  test('counts less where feedback rejected the chain', () => {
    const [, end] = reached([{ evidence: 3 }, { evidence: -8, first: [0, 0], factor: 0.5 }]);
    expect(end).toBeCloseTo(0.05 * probability(3), 9);
  });

  test('starts from what an item has altogether, and leaves what is no evidence of the end to be added', () => {
    const items = [
      { evidence: 3, besides: -2 },
      { evidence: -8, besides: -4, first: [0, 0] as const },
    ];
    const [, end] = reached(items);
    expect(end).toBeCloseTo(0.1 * probability(1), 9);
  });
});
