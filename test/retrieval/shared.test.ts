import { describe, expect, test } from '@jest/globals';
import { Copies } from '../../src/retrieval/expand/copies.js';
import type { Expanded } from '../../src/retrieval/expand/expand.js';
import { sharedEntities } from '../../src/retrieval/expand/shared.js';
import { expansion, node } from './literals.js';

const entity = (of: string, over = {}) => ({
  node: of,
  key: 'walsh',
  entity: 'e',
  documentFrequency: 2,
  title: false,
  ...over,
});

function expanded(over: Parameters<typeof expansion>[0], sources = [{ node: node('a'), relative: 0 }]): Expanded {
  return { sources, expansion: expansion(over), pagerank: new Map(), best: 1, copies: new Copies() };
}

describe('shared rare entities', () => {
  test('the rarer the entity and the better the source, the more it counts', () => {
    const found = sharedEntities(
      expanded({ entities: [entity('a')], shared: new Map([['e', ['a', 'b']]]) }, [
        { node: node('a'), relative: -0.4 },
      ]),
    );
    expect(found.get('b')).toMatchObject({ value: 0.3, from: 'a', entity: 'e', key: 'walsh' });
    expect(found.has('a')).toBe(false);
  });

  test('a name that an item is about is a link, not a shared entity', () => {
    const about = expanded({ entities: [entity('a', { title: true })], shared: new Map([['e', ['a', 'b']]]) });
    expect(sharedEntities(about).size).toBe(0);
    const linked = expanded({
      entities: [entity('a')],
      shared: new Map([['e', ['a', 'b']]]),
      out: [{ from: 'a', to: 'b', key: 'walsh', sentence: 0, token: 0, length: 1, weight: 1 }],
    });
    expect(sharedEntities(linked).size).toBe(0);
  });

  test('entities that are not rare are not listed and count nothing', () => {
    expect(sharedEntities(expanded({ entities: [entity('a', { documentFrequency: 90 })] })).size).toBe(0);
  });
});
