import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parse } from 'yaml';
import type { DomainRanker, LinearModel } from '../../src/learning/feedback/adjustments.js';
import type { Chain } from '../../src/retrieval/chains/chain-types.js';
import { MESSAGE_FEATURES } from '../../src/retrieval/conversation/message-features.js';
import { mentionId } from '../../src/retrieval/expand/link-ids.js';
import { contributions } from '../../src/retrieval/score/contributions.js';
import { DOCUMENT_FEATURES } from '../../src/retrieval/score/document-features.js';
import type { Features } from '../../src/retrieval/score/features.js';
import { MIXED_FEATURES, mixedModel } from '../../src/retrieval/score/mixed.js';
import { modelRanker, parseRanker } from '../../src/retrieval/score/ranker.js';
import type { ModelRanker, Ranker } from '../../src/retrieval/score/ranker-types.js';
import {
  documentScorer,
  messageScorer,
  probability,
  toProbability,
  withChainEnds,
} from '../../src/retrieval/score/score.js';
import { direct, features, node, turn } from './literals.js';

/** A linear model whose weights are 0 but for those named. */
function weights(named: Readonly<Record<string, number>>, intercept = 0): LinearModel {
  return { intercept, weights: DOCUMENT_FEATURES.map(({ name }) => named[name] ?? 0) };
}
const model: ModelRanker = {
  vec: { slope: 2, offset: -3 },
  document: weights({ cosine: 2, forward: 1, shared: 2, pagerank: 1 }),
  message: { intercept: -1, weights: MESSAGE_FEATURES.map(({ name }) => (name === 'sentence' ? 2 : 0)) },
  mixed: mixedModel({ intercept: 0, weights: MIXED_FEATURES.map(() => 0) }),
};
const ranker: Ranker = {
  direct: { cosine: 1, sentence: 1, text: 1, named: 0 },
  prior: 1,
  days: { asked: 0, other: 0 },
  explanation: { row: 0 },
  cells: { empty: 0, missing: 0 },
  chains: { first: 0, second: 0, fading: 1 },
  models: { none: model, other: model },
};
const scorer = documentScorer(ranker, model);
const none = {
  factors: new Map<string, number>(),
  priors: new Map<string, number>(),
  rankers: new Map<string, DomainRanker>(),
};
const forward = { strength: -0.5, words: 0, from: 'a', name: 'A', to: 'x', edge: 'a|USES|x', relation: 'USES' };
const shared = { value: 0.5, from: 'a', name: 'A', entity: 'e', key: 'k' };

describe('the baseline score', () => {
  test('takes the weights that the domain of an item learned', () => {
    const learned = { document: weights({ cosine: 5 }, 1), message: { ...model.message, intercept: 3 } };
    const adjustments = { ...none, rankers: new Map([[node('x').domain, learned]]) };
    const item = features('x', { direct: direct(0.5) });
    expect(scorer(item, none).total).toBeCloseTo(0.5);
    expect(scorer(item, adjustments).total).toBeCloseTo(2.25);
    expect(messageScorer(ranker, model)(turn('x'), adjustments).total).toBeCloseTo(3);
    const elsewhere = { ...none, rankers: new Map([['elsewhere', learned]]) };
    expect(scorer(item, elsewhere).total).toBeCloseTo(0.5);
  });

  test('is direct evidence plus what the graph adds, part by part', () => {
    const baseline = scorer(features('x', { forward, shared, pagerank: 0.25 }), none);
    expect(baseline.parts).toEqual({ forward: 0.5, shared: 1, pagerank: 0.25, chain: 0 });
    expect(baseline.graph).toBeCloseTo(1.75);
    expect(baseline.total).toBeCloseTo(2.25);
  });

  test('paths that prove nothing add nothing', () => {
    const weak = { ...forward, strength: -1.7 };
    expect(scorer(features('x', { forward: weak }), none).graph).toBe(0);
  });

  test('the evidence of the whole answer moves its probability, never its order', () => {
    const shipped = parseRanker(parse(readFileSync('config/ranker.yaml', 'utf8')));
    const entry = modelRanker(shipped, 'minilm');
    const pair = [features('x', { direct: direct(1) }), features('y', { forward, pagerank: 0.5 })];
    const apart = (over: Partial<Features['answer']>): number[] =>
      pair.map((item) => documentScorer(shipped, entry)({ ...item, answer: { ...item.answer, ...over } }, none).total);
    const [x, y] = apart({});
    const [stronger, other] = apart({
      cosine: 0.9,
      sentence: 0.8,
      text: 0.7,
      named: 1,
      sentenceCoverage: 0.5,
      rare: 1,
    });
    expect(stronger! - other!).toBeCloseTo(x! - y!, 9);
    expect(stronger).not.toBeCloseTo(x!, 3);
  });

  test('a chain counts half where the question names nothing that a candidate is about', () => {
    const bridges = DOCUMENT_FEATURES.find(({ name }) => name === 'bridges')!;
    const item = features('x', { chains: { first: undefined, second: undefined, through: undefined, bridges: 3 } });
    const named = { ...item, answer: { ...item.answer, named: 0.5 } };
    expect(bridges.value(named)).toBeCloseTo(Math.log(4));
    expect(bridges.value(item)).toBeCloseTo(Math.log(4) / 2);
  });

  test('turns of conversations have features and weights of their own', () => {
    const item = turn('x', { sentence: 0.75 });
    expect(messageScorer(ranker, model)(item, none)).toMatchObject({ total: 0.5, graph: 0 });
    const liked = { ...none, priors: new Map([['x', 0.2]]) };
    expect(messageScorer(ranker, model)(item, liked).total).toBeCloseTo(0.7);
  });

  test('feedback multiplies the edges and adds the item prior', () => {
    const rated = scorer(features('x', { forward, shared }), {
      ...none,
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
  });

  test('the shares of the edges that brought an item up sum to at most 1', () => {
    const item = features('x', { forward, shared, pagerank: 0.5 });
    const baseline = scorer(item, none);
    const ranked = { node: item.node, score: 0.5, cosine: 0, message: null };
    const shares = contributions({ ...ranked, baseline, features: item });
    expect(shares.map((share) => share.id)).toEqual(
      expect.arrayContaining(['a|USES|x', mentionId('a', 'e'), mentionId('x', 'e')]),
    );
    expect(shares.reduce((sum, share) => sum + share.share, 0)).toBeCloseTo(1.5 / 2);
    expect(contributions({ ...ranked, baseline: null, features: null })).toEqual([]);
  });
});

describe('calibration', () => {
  test('is a probability that grows with the baseline score', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -50, max: 50, noNaN: true }),
        fc.double({ min: 0, max: 10, noNaN: true }),
        (x, more) => {
          const low = toProbability(x, model.vec);
          const high = toProbability(x + more, model.vec);
          return low >= 0 && high <= 1 && high >= low;
        },
      ),
    );
  });

  test('what a chain carried is credited to the edge that it leaves by, the rest to that of the other chain', () => {
    const chain = (edge: string, from: string, strength: number): Chain => ({
      ...{ strength, match: 1, similarity: 1, asked: 0, from, name: from, sentence: 0, edge, to: 'x' },
      ...{ bridge: { key: 'b', name: 'B', domain: 'd' }, rewritten: 'B?' },
    });
    const start = features('a', {
      direct: direct(0.5, { cosine: 2 }),
      answer: { ...features('a').answer, chains: [1, 1] },
    });
    const item = features('x', {
      direct: direct(0, { cosine: -4 }),
      answer: { ...start.answer },
      chains: { first: chain('one', 'elsewhere', 1), second: chain('two', 'a', 1), through: undefined, bridges: 0 },
    });
    const withChains = { ...model, document: weights({ cosine: 2, chain_gap: 1 }) };
    const score = documentScorer(ranker, withChains);
    const scores = [start, item].map((one) => score(one, none));
    const shares = { first: 0.1, second: 0.2, fading: 0.1 };
    const [, raised] = withChainEnds([start, item], scores, { shares, factors: none.factors });
    expect(probability(raised!.total)).toBeCloseTo(0.2 * probability(scores[0]!.total), 4);
    expect(raised!.carried?.chain.edge).toBe('two');
    const found = contributions({
      node: item.node,
      score: 0,
      cosine: 0,
      message: null,
      baseline: raised!,
      features: item,
    });
    const part = scores[1]!.parts.chain / raised!.graph;
    expect(new Map(found.map(({ id, share }) => [id, share]))).toEqual(
      new Map([
        ['two', expect.closeTo(raised!.carried!.gain / raised!.graph, 9)],
        ...(part > 0 ? ([['one', expect.closeTo(part, 9)]] as const) : []),
      ]),
    );
    const rejected = withChainEnds([start, item], scores, { shares, factors: new Map([['two', 0.5]]) })[1]!;
    expect(probability(rejected.total)).toBeCloseTo(0.1 * probability(scores[0]!.total), 4);
  });
});
