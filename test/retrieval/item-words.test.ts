import { expect, it } from '@jest/globals';
import type { GraphNode } from '../../src/core/model.js';
import { coverage, ItemTexts, TermShares } from '../../src/retrieval/expand/item-words.js';
import { node as literal } from './literals.js';

const node = (description: string): GraphNode => literal('d:a', { name: 'Kettle', description });
const stems = (texts: ItemTexts, of: GraphNode): string[] => [...texts.of(of).all];

it('reads title and text of a node once a question', () => {
  const kettle = node('Boils water.');
  const texts = new ItemTexts();
  expect(stems(texts, kettle)).toEqual(['kettl', 'boil', 'water']);
  expect([...texts.of(kettle).inTitle]).toEqual(['kettl']);
  expect(texts.of(kettle)).toBe(texts.of(kettle));
});

it('reads a node that stays in memory once for all questions of a language', () => {
  const kettle = node('Boils water.');
  const words = new ItemTexts().of(kettle);
  expect(new ItemTexts().of(kettle)).toBe(words);
  expect(new ItemTexts().of({ ...kettle, description: 'Cools wine.' })).not.toBe(words);
});

it('keeps words of one language apart from those of another', () => {
  const houses = node('Die Häuser');
  const english = stems(new ItemTexts('english'), houses);
  expect(stems(new ItemTexts('german'), houses)).not.toEqual(english);
  expect(stems(new ItemTexts('english'), houses)).toEqual(english);
});

it('tells how much of the terms items hold, one item after another', () => {
  const terms = new Map(Object.entries({ kettl: 1, boil: 2, water: 4, tea: 8 }));
  const open = new Map(Object.entries({ boil: 2, tea: 8 }));
  const shares = new TermShares(terms, open);
  const texts = new ItemTexts();
  const of = (description: string, sentences: ReadonlyArray<readonly [number, number]>): GraphNode => ({
    ...literal(`d:${description}`, { name: 'Kettle', description }),
    passage: { sentences } as unknown as NonNullable<GraphNode['passage']>,
  });
  const first: readonly [number, number] = [0, 9];
  const both = of('Boils it. Water.', [first, [10, 16]]);
  expect(shares.of(texts.of(both))).toMatchObject({ all: 7 / 15, open: 0.2, sentence: 5 / 15, names: 0 });
  const cool = of('Cools wine.', [[0, 11]]);
  expect(shares.of(texts.of(cool))).toEqual({
    ...{ all: 1 / 15, open: 0, sentence: 1 / 15, names: 0 },
    nearly: { open: 0, sentence: 1 / 15 },
  });
  expect(shares.of(texts.of(both)).all).toBe(coverage(terms, texts.of(both).all));
  expect(new TermShares(new Map(), new Map()).of(texts.of(both))).toEqual({
    all: 0,
    open: 0,
    sentence: 0,
    nearly: { open: 0, sentence: 0 },
    names: 0,
  });
});

it('tells which names and numbers are missing, also from several items together', () => {
  const terms = new Map(Object.entries({ kettl: 1, boil: 2, ada: 4, 1815: 8 }));
  const open = new Map(Object.entries({ boil: 2, 1815: 8 }));
  const names = new Map(Object.entries({ kettl: 1, ada: 4, 1815: 8 }));
  const shares = new TermShares(terms, open, { names });
  const texts = new ItemTexts();
  const held = (name: string, description: string) =>
    shares.of(texts.of(literal(`d:${name}`, { name, description }))).names;
  const kettle = held('Kettle', 'Boils water.');
  const ada = held('Ada', 'Born in 1815.');
  expect(shares.without(0).ofTerms).toBe(13 / 15);
  expect(shares.without(kettle).ofTerms).toBe(12 / 15);
  expect(shares.without(ada).ofTerms).toBe(1 / 15);
  expect(shares.without(kettle | ada).ofTerms).toBe(0);
  expect(shares.without(ada).ofNames).toBe(1 / 13);
  expect(new TermShares(terms, open).without(0)).toEqual({ ofTerms: 0, ofNames: 0 });
  const many = new Map(Array.from({ length: 40 }, (_, i) => [`word${i}`, 1] as const));
  const long = new TermShares(many, new Map(), { names: many });
  const all = long.of(texts.of(literal('d:all', { name: 'All', description: [...many.keys()].join(' ') }))).names;
  expect(long.without(0).ofTerms).toBe(31 / 40);
  expect(long.without(all).ofTerms).toBe(0);
});

it('counts terms that an item holds in other words, such as the month of its day, in each of its sentences', () => {
  const terms = new Map(Object.entries({ march: 3, boil: 1 }));
  const shares = new TermShares(terms, terms);
  const words = new ItemTexts().of(node('Boils on 2026-03-14.'));
  expect(shares.of(words)).toMatchObject({ all: 0.25, sentence: 0.25 });
  expect(shares.of(words, ['march', 'absent'])).toMatchObject({ all: 1, sentence: 1 });
  expect(shares.of(words)).toMatchObject({ all: 0.25, sentence: 0.25 });
});
