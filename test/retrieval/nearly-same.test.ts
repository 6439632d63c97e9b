import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ItemTexts } from '../../src/retrieval/expand/item-words.js';
import { type Comparable, comparable, sayNearlySame } from '../../src/retrieval/expand/nearly-same.js';
import { node } from './literals.js';

const said = (description: string): Comparable => comparable(node('n', { description }), new ItemTexts('english'))!;

/** Words from a small store, so that two texts often have most in common; also of other scripts and outside the first plane. */
const word = fc.oneof(
  fc.constantFrom('beacon', 'deploy', 'Übung', 'naïve', '東京', '7', '2.50', 'a', '𝒜lef'),
  fc
    .integer({ min: 0, max: 400 })
    .map((i) => `word${String.fromCharCode(97 + (i % 26))}${'x'.repeat(i % 7)}${String.fromCharCode(97 + (i % 17))}`),
);

/** Returns what `sayNearlySame` should: nine of ten words in common, and all numbers. */
function areNear(a: Comparable, b: Comparable): boolean {
  const [one, other] = [a.words(), b.words()];
  const common = [...one].filter((norm) => other.has(norm)).length;
  const numbers = [...one, ...other].filter((norm) => /\p{N}/u.test(norm));
  return common / (one.size + other.size - common) >= 0.9 && numbers.every((norm) => one.has(norm) && other.has(norm));
}

test('texts with nine of ten words and all numbers in common say nearly the same, whatever their bits are', () => {
  const words = fc.array(word, { minLength: 10, maxLength: 300 });
  const changes = fc.array(fc.tuple(fc.nat(299), word), { maxLength: 8 });
  fc.assert(
    fc.property(words, changes, (first, places) => {
      const second = [...first];
      for (const [at, other] of places) second[at % (second.length + 1)] = other;
      const [a, b] = [first, second].map((list) => said(list.join(' ').padEnd(40, ' .')));
      expect(sayNearlySame(a!, b!)).toBe(areNear(a!, b!));
      expect(sayNearlySame(b!, a!)).toBe(areNear(a!, b!));
    }),
    { numRuns: 1000 },
  );
});

test('texts that differ in a number say different things, and short ones are told by more than their words', () => {
  const [a, b] = ['4', '5'].map((room) => said(`The meeting of the whole team is held in room ${room}.`));
  expect(sayNearlySame(a!, b!)).toBe(false);
  expect(said('Fees are due.')).toBeNull();
});
