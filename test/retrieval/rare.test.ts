import { describe, expect, test } from '@jest/globals';
import { Copies } from '../../src/retrieval/expand/copies.js';
import { questionWords } from '../../src/retrieval/seed/question-words.js';
import { rareHolders, rareUnits, rarity } from '../../src/retrieval/seed/rare.js';
import { passage, question } from './literals.js';

const text = "Where does Corey Lund's band play?";
const asked = question({
  text,
  words: questionWords(text, [], { idf: new Map() }),
  parts: [{ key: 'corey lund', name: 'Corey Lund', token: 2, length: 2 }],
  documentFrequencies: new Map([
    ['corey', 40],
    ['lund', 30],
    ['band', 3],
    ['play', 900],
    ['zither', 0],
  ]),
});

describe('rare units of a question', () => {
  test('are words in few documents, and names of several words', () => {
    expect(rareUnits(asked)).toEqual([['band'], ['corey', 'lund']]);
  });

  test('are held by the items of all domains', async () => {
    const lists = new Map([
      ['a', [['1', '2'], ['2']]],
      ['b', [['9'], []]],
    ]);
    const containingEach = async (domain: string) => lists.get(domain)!;
    const holders = await rareHolders({ text: { containingEach } as never }, asked, ['a', 'b']);
    expect(holders).toEqual([['1', '2', '9'], ['2']]);
  });

  test('are none where more than eight documents hold them', async () => {
    const many = Array.from({ length: 9 }, (_, i) => String(i));
    const containingEach = async () => [many, []];
    expect(await rareHolders({ text: { containingEach } as never }, asked, ['a'])).toEqual([]);
  });

  test('give each holder 1/√n of the rarest unit; copies of a text count once', () => {
    const copies = new Copies();
    expect([...rarity([['1', '2', '9'], ['2']], copies)]).toEqual([
      ['1', 1 / Math.sqrt(3)],
      ['2', 1],
      ['9', 1 / Math.sqrt(3)],
    ]);
    const text = 'The gate of the lower lock is closed at nine in the evening.';
    copies.add([passage('1', text), passage('9', text.toUpperCase())]);
    expect(rarity([['1', '2', '9']], copies).get('1')).toBe(1 / Math.sqrt(2));
  });
});
