import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { mentionId } from '../../src/retrieval/expand/link-ids.js';
import { contributions } from '../../src/retrieval/score/contributions.js';
import type { Ranker } from '../../src/retrieval/score/ranker.js';
import { baselineScorer, directScorer, gate, toProbability } from '../../src/retrieval/score/score.js';
import { direct, features, node } from './literals.js';

const weights = { named: 1, forward: 1, reverse: 1, shared: 2, pagerank: 1, words: 0 };
const model = {
  gate: [0, 1] as const,
  vec: { slope: 1, offset: 0 },
  graph: { slope: 2, offset: -3 },
};
const ranker: Ranker = {
  direct: { cosine: 1, sentence: 1, text: 1, named: 0 },
  graph: { document: weights, message: { ...weights, shared: 0 } },
  models: { none: model, other: model },
};
const none = { factors: new Map<string, number>(), priors: new Map<string, number>() };
const forward = { strength: -0.5, words: 0, from: 'a', name: 'A', to: 'x', edge: 'a|USES|x', relation: 'USES' };
const shared = { value: 0.5, from: 'a', name: 'A', entity: 'e', key: 'k' };

describe('the baseline score', () => {
  test('is direct evidence plus what the graph adds, part by part', () => {
    const baseline = baselineScorer(
      ranker,
      model,
      1,
    )(features('x', { direct: direct(0.5), forward, shared, pagerank: 0.25 }), none);
    expect(baseline.parts).toEqual({ forward: 0.5, reverse: 0, shared: 1, pagerank: 0.25 });
    expect(baseline.graph).toBeCloseTo(1.75);
    expect(baseline.total).toBeCloseTo(2.25);
  });

  test('counts the graph only as far as the gate is open', () => {
    const half = baselineScorer(ranker, model, 0.5)(features('x', { forward }), none);
    const closed = baselineScorer(ranker, model, -1)(features('x', { forward }), none);
    expect(half.graph).toBeCloseTo(0.25);
    expect(closed.graph).toBe(0);
  });

  test('paths that prove nothing add nothing', () => {
    const weak = { ...forward, strength: -1.7 };
    expect(baselineScorer(ranker, model, 1)(features('x', { forward: weak, reverse: weak }), none).graph).toBe(0);
  });

  test('messages have weights of their own', () => {
    const message = node('x', {
      passage: {
        source_id: 's',
        order: 0,
        sentences: [],
        about: [],
        message: { session_id: 's', role: 'user', turn: 0 },
      },
    });
    expect(baselineScorer(ranker, model, 1)(features('x', { node: message, shared }), none).parts.shared).toBe(0);
  });

  test('feedback multiplies the edges and adds the item prior', () => {
    const scorer = baselineScorer(ranker, model, 1);
    const rated = scorer(features('x', { forward, shared }), {
      factors: new Map([
        ['a|USES|x', 1.5],
        [mentionId('a', 'e'), 0.5],
        [mentionId('x', 'e'), 0.5],
      ]),
      priors: new Map([['x', 0.2]]),
    });
    expect(rated.parts.forward).toBeCloseTo(0.75);
    expect(rated.parts.shared).toBeCloseTo(0.25);
    expect(rated.total).toBeCloseTo(0.5 + 1 + 0.2);
    expect(directScorer(ranker)(features('x'), { ...none, priors: new Map([['x', 0.2]]) }).total).toBeCloseTo(0.7);
  });

  test('the shares of the edges that brought an item up sum to at most 1', () => {
    const item = features('x', { forward, shared, pagerank: 0.5 });
    const baseline = baselineScorer(ranker, model, 1)(item, none);
    const shares = contributions({ node: item.node, score: 0.5, cosine: 0, baseline: baseline, features: item });
    expect(shares.map((share) => share.id)).toEqual(
      expect.arrayContaining(['a|USES|x', mentionId('a', 'e'), mentionId('x', 'e')]),
    );
    expect(shares.reduce((sum, share) => sum + share.share, 0)).toBeCloseTo(1.5 / 2);
    expect(contributions({ node: item.node, score: 0.5, cosine: 0, baseline: null, features: null })).toEqual([]);
  });
});

describe('calibration', () => {
  test('is a probability that grows with the baseline score', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -50, max: 50, noNaN: true }),
        fc.double({ min: 0, max: 10, noNaN: true }),
        (x, more) => {
          const low = toProbability(x, model.graph);
          const high = toProbability(x + more, model.graph);
          return low >= 0 && high <= 1 && high >= low;
        },
      ),
    );
  });

  test('the gate runs from 0 to 1 over its bounds', () => {
    expect([0.2, 0.5, 0.75, 1, 3].map((best) => gate([0.5, 1], best))).toEqual([0, 0, 0.5, 1, 1]);
  });
});
