import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { seededRandom } from '../../src/core/random.js';
import { betaCdf, betaQuantile, credibleInterval } from '../../src/learning/learner/beta/beta-quantile.js';
import { betaSampler } from '../../src/learning/learner/beta/beta-sample.js';
import { contextKey } from '../../src/learning/learner/context-key.js';
import { rewardOf } from '../../src/learning/learner/reward.js';

describe('credible interval', () => {
  it.each([
    [1, 1, 0.025, 0.975],
    [2, 1, 0.1581, 0.9874],
    [5, 3, 0.2904, 0.901],
    [21, 3, 0.7196, 0.9722],
    [60, 42, 0.4918, 0.6814],
  ])('of Beta(%d, %d) is the published one', (alpha, beta, lower, upper) => {
    const interval = credibleInterval(alpha, beta);
    expect(interval.lower).toBeCloseTo(lower, 4);
    expect(interval.upper).toBeCloseTo(upper, 4);
  });

  it('holds what the distribution function says, for every shape', () => {
    const shape = fc.double({ min: 0.05, max: 2000, noNaN: true });
    fc.assert(
      fc.property(shape, shape, fc.double({ min: 0.01, max: 0.99, noNaN: true }), (a, b, p) => {
        const x = betaQuantile(p, a, b);
        expect(x).toBeGreaterThanOrEqual(0);
        expect(x).toBeLessThanOrEqual(1);
        if (x > 1e-9 && x < 1 - 1e-9) expect(betaCdf(x, a, b)).toBeCloseTo(p, 6);
      }),
    );
  });

  it('is as exact near 1 as near 0', () => {
    const p = 0.4308664806467662;
    const x = betaQuantile(p, 1456.7572973910517, 0.05);
    expect(betaCdf(x, 1456.7572973910517, 0.05)).toBeCloseTo(p, 8);
    expect(1 - x).toBeCloseTo(betaQuantile(1 - p, 0.05, 1456.7572973910517), 15);
  });
});

describe('beta sampler', () => {
  it.each([
    [1, 1],
    [0.5, 0.5],
    [0.01, 0.01],
    [30, 2],
    [0.2, 5],
  ])('has the mean and variance of Beta(%d, %d)', (a, b) => {
    const sample = betaSampler(seededRandom(7));
    const n = 40_000;
    let sum = 0;
    let squares = 0;
    for (let i = 0; i < n; i += 1) {
      const x = sample(a, b);
      sum += x;
      squares += x * x;
    }
    const mean = sum / n;
    expect(mean).toBeCloseTo(a / (a + b), 1.9);
    expect(squares / n - mean * mean).toBeCloseTo((a * b) / ((a + b) ** 2 * (a + b + 1)), 1.9);
  });

  it('gives the same draws for the same seed', () => {
    const draws = (seed: number): number[] => {
      const sample = betaSampler(seededRandom(seed));
      return Array.from({ length: 5 }, () => sample(2, 3));
    };
    expect(draws(1)).toEqual(draws(1));
    expect(draws(1)).not.toEqual(draws(2));
  });
});

describe('context key', () => {
  it('does not depend on the order of members', () => {
    expect(contextKey({ a: 1, b: { d: [1, 2], c: 'x' } }).key).toBe(contextKey({ b: { c: 'x', d: [1, 2] }, a: 1 }).key);
  });

  it('is default for none and for an empty context', () => {
    expect(contextKey(undefined).key).toBe('default');
    expect(contextKey(null).key).toBe('default');
    expect(contextKey({}).key).toBe('default');
  });

  it('keeps different contexts apart', () => {
    expect(contextKey({ a: 1 }).key).not.toBe(contextKey({ a: '1' }).key);
    expect(contextKey({ a: [1, 2] }).key).not.toBe(contextKey({ a: [2, 1] }).key);
  });

  it('refuses what JSON cannot hold', () => {
    expect(() => contextKey({ a: Number.NaN })).toThrow(/NaN/);
    expect(() => contextKey({ a: () => 1 } as never)).toThrow(/JSON values/);
  });
});

describe('reward', () => {
  it('maps the known outcomes', () => {
    expect(rewardOf({ outcome: 'accepted' }).reward).toBe(1);
    expect(rewardOf({ outcome: 'partial' }).reward).toBe(0.5);
    expect(rewardOf({ outcome: 'rejected' }).reward).toBe(0);
  });

  it('lets an explicit reward win, 0 included', () => {
    expect(rewardOf({ outcome: 'accepted', reward: 0 }).reward).toBe(0);
    expect(rewardOf({ outcome: 'odd', reward: 0.25 })).toEqual({ reward: 0.25 });
  });

  it('maps custom outcomes, and warns of unknown ones that count 0', () => {
    expect(rewardOf({ outcome: 'shipped' }, { shipped: 0.9 })).toEqual({ reward: 0.9 });
    expect(rewardOf({ outcome: 'odd' })).toMatchObject({ reward: 0, warning: expect.stringContaining('odd') });
    expect(rewardOf({ outcome: 'toString' })).toMatchObject({ reward: 0, warning: expect.any(String) });
  });

  it.each([5, -0.1, Number.NaN, Number.POSITIVE_INFINITY])('refuses the reward %d', (reward) => {
    expect(() => rewardOf({ reward })).toThrow(/0 to 1/);
  });

  it('refuses neither outcome nor reward', () => {
    expect(() => rewardOf({})).toThrow(/outcome or reward/);
    expect(() => rewardOf({ outcome: '' })).toThrow(/outcome or reward/);
  });
});
