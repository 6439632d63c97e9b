import { describe, expect, test } from '@jest/globals';
import { compareModes } from '../../src/retrieval/compare.js';
import { contentOf } from '../../src/retrieval/present/content.js';
import type { QueryItem } from '../../src/retrieval/present/present.js';

const item = (id: string): QueryItem => ({ id, content: id, score: 0.5, domain: 'd', node_id: id, metadata: {} });

describe('comparing two answers', () => {
  const result = compareModes('q', { vec: ['a', 'b', 'c'].map(item), graph: ['b', 'd', 'c'].map(item), rules: [] });

  test('names what only one of them found', () => {
    expect(result.diff.graph_found_that_cosine_missed.map((one) => one.id)).toEqual(['d']);
    expect(result.diff.cosine_found_that_graph_dropped.map((one) => one.id)).toEqual(['a']);
    expect(result.diff.overlap).toBe(2);
  });

  test('lists changed places, gained ones positive', () => {
    expect(result.diff.rank_changes).toEqual([{ id: 'b', vec_rank: 2, graph_rank: 1, delta: 1 }]);
  });

  test('sums it up in a sentence', () => {
    expect(result.summary).toBe(
      'The graph found 1 item that cosine missed and dropped 1; 2 in both; 0 rules surfaced.',
    );
  });
});

test('content is "Name: Description", or the one of them that there is', () => {
  expect(contentOf({ name: 'A', description: 'b' })).toBe('A: b');
  expect(contentOf({ name: 'A', description: '' })).toBe('A');
  expect(contentOf({ name: '', description: 'b' })).toBe('b');
});
