import { describe, expect, test } from '@jest/globals';
import { cutsAround } from '../../src/retrieval/chains/cuts.js';
import { isOfKind, kindOf } from '../../src/retrieval/chains/kinds.js';
import { ItemTexts } from '../../src/retrieval/expand/item-words.js';
import { questionWords } from '../../src/retrieval/seed/question-words.js';
import { passage } from './literals.js';

/** The kinds that the cuts around a phrase name. */
function kinds(text: string, phrase: string): string[] {
  const found = questionWords(text, [], { idf: new Map() });
  const start = text.indexOf(phrase);
  const from = found.findIndex((word) => word.start >= start);
  const to = found.findIndex((word) => word.end >= start + phrase.length) + 1;
  const words = found.map((word, i) => ({ ...word, inName: i >= from && i < to }));
  const anchor = { from, to };
  return cutsAround(words, text, anchor).flatMap((cut) => kindOf(words, cut, anchor) ?? []);
}

describe('the kind of what a cut stands for', () => {
  test.each([
    ['What borders the county in which Green Vale lies?', 'Green Vale', ['counti']],
    ['When did the lead singer of Silver Harbour die?', 'Silver Harbour', ['singer']],
    ["Which region holds Ada Lund's city of birth?", "Ada Lund's", ['citi', 'citi']],
    ['Where does the Moss River end?', 'Moss River', []],
  ])('%s', (text, phrase, expected) => {
    expect(kinds(text, phrase)).toEqual(expected);
  });
});

describe('a thing is of a kind', () => {
  const about = (body: string) => new ItemTexts().of(passage('Thing', body));
  const thing = (name: string, body?: string) => ({
    name,
    stems: name.toLowerCase().split(' '),
    ...(body === undefined ? {} : { about: about(body) }),
  });

  test('by its name', () => {
    expect(isOfKind('counti', { name: 'Nash County', stems: ['nash', 'counti'] })).toBe(true);
    expect(isOfKind('counti', { name: 'Nash', stems: ['nash'] })).toBe(false);
  });

  test('by its first sentence', () => {
    expect(isOfKind('citi', thing('Varn', 'Varn is a small city in the north.'))).toBe(true);
    expect(isOfKind('counti', thing('Varn', 'Varn is a small city in the north.'))).toBe(false);
  });

  test('by an occupation that is one of the kind', () => {
    expect(isOfKind('perform', thing('Silver Harbour', 'Silver Harbour was an indie rock band.'))).toBe(true);
    expect(isOfKind('author', thing('Ada Lund', 'Ada Lund is a Danish novelist.'))).toBe(true);
    expect(isOfKind('author', thing('Ada Lund', 'Ada Lund is a Danish rower.'))).toBe(false);
  });

  test('by the names of countries and continents', () => {
    expect(isOfKind('countri', thing('Norway'))).toBe(true);
    expect(isOfKind('contin', thing('Africa'))).toBe(true);
    expect(isOfKind('countri', thing('Varn'))).toBe(false);
  });
});
