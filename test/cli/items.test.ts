import { describe, expect, it } from '@jest/globals';
import { applyingRules, relevantItems } from '../../src/cli/output/items.js';

const item = (id: string, score: number) => ({ id, content: id, score, domain: 'd' });

describe('the items of an answer', () => {
  it('leave out those far below the best', () => {
    const items = [item('a', 0.9), item('b', 0.3), item('c', 0.01), item('d', 0)];
    expect(relevantItems(items).map(({ id }) => id)).toEqual(['a', 'b']);
  });

  it('are all there where even the best is weak', () => {
    const items = [item('a', 0.02), item('b', 0.01)];
    expect(relevantItems(items)).toEqual(items);
    expect(relevantItems([])).toEqual([]);
  });

  it('bring the rules along that touch one not far below the best', () => {
    const rule = (id: string, relevance: number) => ({
      id,
      text: id,
      domain: 'd',
      category: 'general',
      confidence: 1,
      relevance,
      derivation: 'explicit',
    });
    const rules = [rule('of the best', 0.9), rule('of a good one', 0.3), rule('of a far one', 0.1)];
    const ids = (scores: number[]) =>
      applyingRules(
        rules,
        scores.map((score) => item('i', score)),
      ).map(({ id }) => id);
    expect(ids([0.9, 0.3, 0.1])).toEqual(['of the best', 'of a good one']);
    expect(ids([0.9])).toEqual(['of the best']);
    expect(ids([0.3, 0.1])).toHaveLength(3);
  });
});
