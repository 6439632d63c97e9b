import { describe, expect, test } from '@jest/globals';
import { seededRandom } from '../../src/core/random.js';
import { type Choice, fitOrder } from '../../src/learning/ranker/fit-order.js';

const SEED = 16;

/** Forty questions with eight candidates of three features; the third is the same for all candidates of a question. */
function someChoices(): Choice[] {
  const random = seededRandom(SEED);
  return Array.from({ length: 40 }, () => {
    const common = 5 * random();
    const x = Array.from({ length: 8 }, () => [random(), random(), common]);
    const value = x.map(([a, b]) => 2 * a! - b! + random());
    const best = [...value].sort((a, b) => b - a).slice(0, 2);
    return { x, gold: value.map((one) => best.includes(one)) };
  });
}

/** Σ ln(1 + Σ_wrong exp(s_wrong − s_right)), written as it stands in the docstring. */
function lossOf(choices: readonly Choice[], weights: readonly number[]): number {
  const scores = choices.map(({ x }) => x.map((values) => values.reduce((sum, v, j) => sum + weights[j]! * v, 0)));
  return choices.reduce((total, { gold }, q) => {
    const own = scores[q]!;
    const wrong = own.filter((_, i) => !gold[i]!);
    const right = own.filter((_, i) => gold[i]!);
    return right.reduce(
      (sum, s) => sum + Math.log(1 + wrong.reduce((odds, other) => odds + Math.exp(other - s), 0)),
      total,
    );
  }, 0);
}

describe('the fit of an order', () => {
  test('reaches the least loss: no small change of a weight lowers it', async () => {
    const choices = someChoices();
    const weights = await fitOrder(choices, { ridge: 1e-6, signs: [0, 0, 0] });
    const least = lossOf(choices, weights);
    for (const j of [0, 1]) {
      for (const by of [-0.01, 0.01]) {
        const moved = weights.map((w, k) => (k === j ? w + by : w));
        expect(lossOf(choices, moved)).toBeGreaterThan(least);
      }
    }
    expect(weights[0]).toBeGreaterThan(0);
    expect(weights[1]).toBeLessThan(0);
  });

  test('gives no weight to what is the same for all candidates of a question', async () => {
    const [, , common] = await fitOrder(someChoices(), { ridge: 1, signs: [0, 0, 0] });
    expect(common).toBeCloseTo(0, 9);
  });

  test('sets a weight of the wrong sign to 0 and fits the others without it', async () => {
    const choices = someChoices();
    const weights = await fitOrder(choices, { ridge: 1, signs: [1, 1, 1] });
    expect(weights[1]).toBe(0);
    const without = choices.map(({ x, gold }) => ({ gold, x: x.map(([a]) => [a!, 0, 0]) }));
    expect(weights[0]).toBeCloseTo((await fitOrder(without, { ridge: 1, signs: [1, 1, 1] }))[0]!, 6);
  });

  test('gives the same digits for the same choices', async () => {
    const run = () => fitOrder(someChoices(), { ridge: 1, signs: [1, 0, 0] });
    expect(await run()).toEqual(await run());
  });

  test('stays at its prior where there is nothing to learn from, and near it under a firm one', async () => {
    const prior = [-3, 2, 1];
    expect(await fitOrder([], { ridge: 1, signs: [0, 0, 0], prior })).toEqual(prior);
    const firm = await fitOrder(someChoices(), { ridge: 1e6, signs: [0, 0, 0], prior });
    for (const [j, weight] of firm.entries()) expect(weight).toBeCloseTo(prior[j]!, 2);
  });
});
