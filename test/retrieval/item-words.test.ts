import { expect, it } from '@jest/globals';
import type { GraphNode } from '../../src/core/model.js';
import { ItemTexts } from '../../src/retrieval/expand/item-words.js';
import { node as literal } from './literals.js';

const node = (description: string): GraphNode => literal('d:a', { name: 'Kettle', description });
const stems = (texts: ItemTexts, of: GraphNode): string[] => [...texts.of(of).all];

it('keeps the words of a node from question to question, and reads those of a changed node anew', () => {
  const before = node('Boils water.');
  const kept = new ItemTexts().of(before);
  expect(new ItemTexts().of(before)).toBe(kept);
  expect([...kept.all]).toEqual(['kettl', 'boil', 'water']);
  expect(stems(new ItemTexts(), node('Cools wine.'))).toEqual(['kettl', 'cool', 'wine']);
});

it('keeps words of one language apart from those of another', () => {
  const houses = node('Die Häuser');
  const english = stems(new ItemTexts('english'), houses);
  expect(stems(new ItemTexts('german'), houses)).not.toEqual(english);
  expect(stems(new ItemTexts('english'), houses)).toEqual(english);
});

it('gives the same words when more was read meanwhile than is kept', () => {
  const first = node('Boils water.');
  const words = new ItemTexts().of(first);
  for (let i = 0; i < 60; i += 1) new ItemTexts().of(node(`word${i} `.repeat(5000)));
  expect(new ItemTexts().of(first)).toEqual(words);
});
