import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { seededRandom } from '../../src/core/random.js';
import { betaSampler } from '../../src/learning/learner/beta/beta-sample.js';
import { fillBudget } from '../../src/learning/learner/budget.js';
import {
  type BetaPosterior,
  type Candidate,
  type Choice,
  chooseArms,
  type Limits,
} from '../../src/learning/learner/select.js';

const NO_LIMITS: Limits = { k: 1, tokenBudget: 0, minPulls: 0, baselineRate: 0 };

function choose(
  candidates: readonly Candidate[],
  posteriors: readonly BetaPosterior[],
  options: Partial<Limits> & { seed?: number },
): Choice {
  const random = seededRandom(options.seed ?? 1);
  return chooseArms(candidates, posteriors, { ...NO_LIMITS, ...options, random, sample: betaSampler(random) });
}

const arm = fc.record({
  cost: fc.integer({ min: 0, max: 40 }),
  alpha: fc.double({ min: 0.01, max: 50, noNaN: true }),
  beta: fc.double({ min: 0.01, max: 50, noNaN: true }),
  pulls: fc.integer({ min: 0, max: 6 }),
});

describe('select', () => {
  it('stays within budget and k, takes nothing twice, and forces arms only within the budget', () => {
    fc.assert(
      fc.property(
        fc.array(arm, { minLength: 1, maxLength: 14 }),
        fc.record({
          k: fc.integer({ min: -1, max: 16 }),
          tokenBudget: fc.integer({ min: 0, max: 90 }),
          minPulls: fc.integer({ min: 0, max: 6 }),
          baselineRate: fc.constantFrom(0, 0.5, 1),
          seed: fc.integer(),
        }),
        (arms, limits) => {
          const candidates = arms.map(({ cost }, index) => ({ id: `a${index}`, token_cost: cost }));
          const { selected, usedTokens, scores } = choose(candidates, arms, limits);
          expect(new Set(selected).size).toBe(selected.length);
          if (limits.k > 0) expect(selected.length).toBeLessThanOrEqual(limits.k);
          expect(usedTokens).toBe(selected.reduce((sum, index) => sum + candidates[index]!.token_cost, 0));
          if (limits.tokenBudget > 0) expect(usedTokens).toBeLessThanOrEqual(limits.tokenBudget);
          else if (limits.k <= 0) expect(selected.length).toBe(arms.length);
          expect([...scores].every((score) => score >= 0 && score <= 1)).toBe(true);
        },
      ),
    );
  });

  it('takes arms with too few pulls first, fewest pulls then lowest cost', () => {
    const candidates = [
      { id: 'much', token_cost: 1 },
      { id: 'expensive', token_cost: 9 },
      { id: 'cheap', token_cost: 2 },
      { id: 'known', token_cost: 1 },
    ];
    const posteriors = [
      { alpha: 1, beta: 1, pulls: 2 },
      { alpha: 1, beta: 1, pulls: 0 },
      { alpha: 1, beta: 1, pulls: 0 },
      { alpha: 99, beta: 1, pulls: 98 },
    ];
    const { selected, isBaseline } = choose(candidates, posteriors, { k: 3, minPulls: 3, baselineRate: 1 });
    expect(selected.map((index) => candidates[index]!.id)).toEqual(['cheap', 'expensive', 'much']);
    expect(isBaseline).toBe(false);
  });

  it('shuffles uniformly at a baseline rate of 1', () => {
    const candidates = ['a', 'b', 'c', 'd'].map((id) => ({ id }));
    const posteriors = candidates.map((_, index) => ({ alpha: index === 0 ? 500 : 1, beta: 1, pulls: 9 }));
    const counts = [0, 0, 0, 0];
    for (let seed = 0; seed < 2000; seed += 1) {
      const { selected, isBaseline } = choose(candidates, posteriors, { baselineRate: 1, seed });
      expect(isBaseline).toBe(true);
      counts[selected[0]!]! += 1;
    }
    for (const count of counts) expect(Math.abs(count - 500)).toBeLessThan(100);
  });

  it('breaks ties by a draw, not by the order of input', () => {
    const candidates = Array.from({ length: 6 }, (_, index) => ({ id: String(index), token_cost: 5 }));
    const posteriors = candidates.map(() => ({ alpha: 1, beta: 1, pulls: 0 }));
    const first = new Set<number>();
    for (let seed = 0; seed < 60; seed += 1)
      first.add(choose(candidates, posteriors, { minPulls: 1, seed }).selected[0]!);
    expect(first.size).toBe(6);
  });

  it('prefers the arm that is better for certain', () => {
    const candidates = [{ id: 'bad' }, { id: 'good' }];
    const posteriors = [
      { alpha: 1, beta: 500, pulls: 499 },
      { alpha: 500, beta: 1, pulls: 499 },
    ];
    for (let seed = 0; seed < 50; seed += 1) expect(choose(candidates, posteriors, { seed }).selected).toEqual([1]);
  });
});

describe('budget', () => {
  const items = fc.array(
    fc.record({ score: fc.double({ min: 0, max: 1, noNaN: true }), cost: fc.integer({ min: 0, max: 30 }) }),
    { minLength: 1, maxLength: 10 },
  );

  it('reaches the best total that any subset reaches', () => {
    fc.assert(
      fc.property(items, fc.integer({ min: 1, max: 80 }), fc.integer({ min: 1, max: 11 }), (list, capacity, slots) => {
        const chosen = fillBudget(list, capacity, slots);
        const value = (indexes: readonly number[]): number => indexes.reduce((sum, i) => sum + list[i]!.score, 0);
        let optimum = 0;
        for (let mask = 0; mask < 2 ** list.length; mask += 1) {
          const subset = list.map((_, i) => i).filter((i) => (mask >> i) % 2 === 1);
          if (subset.length <= slots && subset.reduce((sum, i) => sum + list[i]!.cost, 0) <= capacity) {
            optimum = Math.max(optimum, value(subset));
          }
        }
        expect(chosen.length).toBeLessThanOrEqual(slots);
        expect(chosen.reduce((sum, i) => sum + list[i]!.cost, 0)).toBeLessThanOrEqual(capacity);
        expect(value(chosen)).toBeCloseTo(optimum, 9);
      }),
      { numRuns: 150 },
    );
  });

  it('always takes what costs nothing', () => {
    const list = [
      { score: 0.01, cost: 0 },
      { score: 0.9, cost: 7 },
      { score: 0.8, cost: 7 },
    ];
    expect([...fillBudget(list, 7, 3)].sort()).toEqual([0, 1]);
  });

  it('spends few slots on what is worth most where the table would be too large', () => {
    const cheap = Array.from({ length: 300 }, () => ({ score: 0.1, cost: 1 }));
    const good = Array.from({ length: 50 }, () => ({ score: 0.9, cost: 101 }));
    const list = [...cheap, ...good];
    const chosen = fillBudget(list, 5000, 49);
    expect(chosen.reduce((sum, i) => sum + list[i]!.score, 0)).toBeGreaterThan(40);
  });

  it('stays within a budget too large for the table', () => {
    const random = seededRandom(3);
    const list = Array.from({ length: 400 }, () => ({ score: random(), cost: 1 + Math.floor(random() * 5_000_000) }));
    const chosen = fillBudget(list, 20_000_001, 400);
    expect(chosen.reduce((sum, i) => sum + list[i]!.cost, 0)).toBeLessThanOrEqual(20_000_001);
    expect(chosen.length).toBeGreaterThan(10);
  });
});
