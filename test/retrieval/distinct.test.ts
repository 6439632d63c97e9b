import { describe, expect, test } from '@jest/globals';
import { distinct } from '../../src/retrieval/present/distinct.js';
import type { RankedItem } from '../../src/retrieval/score/rank.js';
import { node, passage } from './literals.js';

const item = (of: RankedItem['node'], score: number): RankedItem => ({
  ...{ node: of, score, cosine: 0, baseline: null, features: null, message: null },
});
const TEXT = 'Deploy the beacon on weekdays between nine and three, and never on the day of a spring tide.';

describe('items that say the same', () => {
  test('take one place, the best; the others are named behind it', () => {
    const found = distinct([item(passage('a', TEXT), 0.9), item(passage('b', TEXT.toUpperCase()), 0.8)], 5);
    expect(found.map((one) => [one.node.id, one.duplicates.map((other) => other.id)])).toEqual([['a', ['b']]]);
  });

  test('nearly the same counts as the same, another number does not', () => {
    const near = passage('b', TEXT.replace('and never', 'and never ever'));
    const other = passage('c', `${TEXT} Call extension 417.`);
    const another = passage('d', `${TEXT} Call extension 418.`);
    const found = distinct(
      [passage('a', TEXT), near, other, another].map((one) => item(one, 0.5)),
      5,
    );
    expect(found.map((one) => one.node.id)).toEqual(['a', 'c', 'd']);
  });

  test('a concept whose description stands in a passage gives the passage its rank', () => {
    const concept = node('beacon', { kind: 'concept', description: 'Beacon is the service that shows parcels.' });
    const whole = passage('p', `Beacon is the service that shows parcels. ${TEXT}`);
    const found = distinct(
      [item(concept, 0.9), item(passage('x', 'Something else entirely, long enough to tell.'), 0.8), item(whole, 0.3)],
      5,
    );
    expect(found.map((one) => [one.node.id, one.score])).toEqual([
      ['p', 0.9],
      ['x', 0.8],
    ]);
    expect(found[0]!.duplicates.map((one) => one.id)).toEqual(['beacon']);
  });

  test('the first `count` places are filled however many duplicates there are', () => {
    const many = Array.from({ length: 20 }, (_, i) => item(passage(`a${i}`, TEXT), 1 - i / 100));
    const rest = ['one', 'two', 'three'].map((word) =>
      item(passage(word, `${word} is a word of its own in a long text.`), 0.1),
    );
    expect(distinct([...many, ...rest], 3).map((one) => one.node.id)).toEqual(['a0', 'one', 'two']);
  });
});
