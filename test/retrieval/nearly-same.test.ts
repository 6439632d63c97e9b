import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ItemTexts } from '../../src/retrieval/expand/item-words.js';
import { comparable, sayNearlySame } from '../../src/retrieval/expand/nearly-same.js';
import { node } from './literals.js';

const texts = (): ItemTexts => new ItemTexts('english');

/** Returns the share of all words of two texts that are in both. */
function share(a: readonly string[], b: readonly string[]): number {
  const [one, other] = [new Set(a), new Set(b)];
  const common = [...one].filter((word) => other.has(word)).length;
  return common / (one.size + other.size - common);
}

test('texts with nine tenths of their words in common say nearly the same, all others do not', () => {
  const word = fc.stringMatching(/^[a-z]{6,10}$/);
  const some = fc.uniqueArray(word, { minLength: 8, maxLength: 400 });
  fc.assert(
    fc.property(some, fc.uniqueArray(word, { maxLength: 40 }), fc.nat(40), (words, more, without) => {
      const others = [...words.slice(Math.min(without, words.length - 8)), ...more];
      const [a, b] = [words, others].map((list, i) =>
        comparable(node(`n${i}`, { description: list.join(' ') }), texts()),
      );
      expect(sayNearlySame(a!, b!)).toBe(share(words, others) >= 0.9);
      expect(sayNearlySame(b!, a!)).toBe(share(words, others) >= 0.9);
    }),
    { numRuns: 300 },
  );
});

test('texts that differ in a number say different things, and short ones are told by more than their words', () => {
  const said = (id: string, description: string) => comparable(node(id, { description }), texts());
  const [a, b] = ['4', '5'].map((room) =>
    said(`room-${room}`, `The meeting of the whole team is held in room ${room}.`),
  );
  expect(sayNearlySame(a!, b!)).toBe(false);
  expect(said('short', 'Fees are due.')).toBeNull();
});
