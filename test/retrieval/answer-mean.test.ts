import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { MESSAGE_FEATURES } from '../../src/retrieval/conversation/message-features.js';
import { answerMean, withMean } from '../../src/retrieval/score/answer-mean.js';
import { DOCUMENT_FEATURES, type FeatureGroup } from '../../src/retrieval/score/document-features.js';
import { modelRanker, parseRanker } from '../../src/retrieval/score/ranker.js';

const FEATURES: ReadonlyArray<{ group: FeatureGroup; nothing?: number; lacks?: boolean }> = [
  { group: 'direct' },
  { group: 'direct', nothing: 1 },
  { group: 'answer' },
];

test('is the mean of what candidates reach without the group "answer"', () => {
  const candidates = Array.from({ length: 40 }, (_, i) => [i, 0, 1000]);
  expect(answerMean(candidates, FEATURES, [2, 5, 7])).toBeCloseTo(39);
});

test('an answer of few candidates is filled up with some that have nothing to do with the question', () => {
  expect(answerMean([[10, 1, 3]], FEATURES, [2, 5, 7])).toBeCloseTo((25 + 19 * 5) / 20);
  expect(answerMean([], FEATURES, [2, 5, 7])).toBeCloseTo(5);
});

test('what candidates lack says nothing of how much they match', () => {
  const features = [...FEATURES, { group: 'direct' as const, lacks: true }];
  const candidates = Array.from({ length: 40 }, (_, i) => [i, 0, 1000, 1]);
  expect(answerMean(candidates, features, [2, 5, 7, -9])).toBeCloseTo(39);
});

test('copies of a text count once', () => {
  const item = (value: number) => ({ value, answer: { mean: 0 } });
  const items = [item(4), item(4), item(2)];
  const features = [
    { name: 'value', group: 'direct' as const, meaning: '', value: (given: { value: number }) => given.value },
  ];
  const [first] = withMean(items, { features, weights: [1], distinct: [items[0]!, items[2]!] });
  expect(first!.answer.mean).toBeCloseTo(6 / 20);
});

test.each(['minilm', 'static', 'none'])('with %s, what matches as well as all others is less likely needed', (name) => {
  const { document, message } = modelRanker(parseRanker(parse(readFileSync('config/ranker.yaml', 'utf8'))), name);
  const weightOf = (features: ReadonlyArray<{ name: string }>, weights: readonly number[]) =>
    weights[features.findIndex((feature) => feature.name === 'answer_mean')];
  expect(weightOf(DOCUMENT_FEATURES, document.weights)).toBeLessThan(0);
  expect(weightOf(MESSAGE_FEATURES, message.weights)).toBeLessThan(0);
});
