import { describe, expect, test } from '@jest/globals';
import type { GraphNode } from '../../src/core/model.js';
import { ItemTexts } from '../../src/retrieval/expand/item-words.js';
import { distinct } from '../../src/retrieval/present/distinct.js';
import { sharedPriors } from '../../src/retrieval/score/shared-priors.js';
import { node, passage } from './literals.js';

const CELLS = 'product with category: Kettles; price: 89; status: In stock.';
const concept = (name: string): GraphNode => node(name, { kind: 'concept', name, description: CELLS });
const row = (name: string, text = CELLS): GraphNode => passage(name, text, { name });

function shown(...nodes: GraphNode[]): string[] {
  const rank = { score: 0.5, cosine: 0, baseline: null, features: null, message: null };
  return distinct(
    nodes.map((of) => ({ node: of, ...rank })),
    9,
  ).map((item) => item.node.id);
}

describe('things of different names with the same cells', () => {
  test('have a place each: rows of a database', () => {
    expect(shown(concept('Copper kettle'), concept('Steel kettle'), concept('Iron kettle'))).toHaveLength(3);
  });

  test('have a place each: rows of a table, also where their cells are nearly the same', () => {
    const near = row('stock > Iron kettle', CELLS.replace('In stock', 'In stock now'));
    expect(shown(row('stock > Copper kettle'), row('stock > Steel kettle'), near)).toHaveLength(3);
  });

  test('have a place each: a concept beside a row of another name', () => {
    expect(shown(concept('Steel kettle'), row('stock > Copper kettle'))).toHaveLength(2);
    expect(shown(concept('Steel kettle'), row('stock > Steel kettle'))).toEqual(['stock > Steel kettle']);
  });

  test('do not share what feedback on one of them taught', () => {
    const nodes = [
      concept('Copper kettle'),
      concept('Steel kettle'),
      row('stock > Tin kettle'),
      row('stock > Iron kettle'),
    ];
    const priors = new Map([
      ['Copper kettle', 1],
      ['stock > Tin kettle', 1],
    ]);
    expect(sharedPriors(priors, nodes, new ItemTexts('english'))).toEqual(priors);
  });
});

describe('one thing in two places', () => {
  test('takes one: a concept of two domains, a row of two copies of a table, whatever the case of its name', () => {
    expect(shown(concept('Copper kettle'), { ...concept('COPPER KETTLE'), domain: 'e' })).toEqual(['Copper kettle']);
    expect(shown(row('stock > Copper kettle'), row('stock copy > Copper kettle'))).toEqual(['stock > Copper kettle']);
  });

  test('takes one: a text under another title', () => {
    const text = 'Wait an hour when the feed is silent, then tell the skippers by radio: routes will change.';
    expect(shown(row('handbook', text), row('handbook copy', text), row('Old > Silence', text))).toEqual(['handbook']);
  });
});
