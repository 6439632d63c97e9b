import { describe, expect, it } from '@jest/globals';
import { relevantItems } from '../../src/cli/output/items.js';

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
});
