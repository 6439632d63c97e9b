import { describe, expect, test } from '@jest/globals';
import { SentenceWords, wordsNear } from '../../src/retrieval/expand/words-near.js';

const text = 'The song was first performed by Judy Garland in a film.';
const words = new SentenceWords(text, [[0, text.length]], 'english').of(0);
const open = new Map([
  ['perform', 2],
  ['director', 2],
]);

describe('words near a mention', () => {
  test('a word of the question next to the mention counts its share of idf, less with distance', () => {
    const near = wordsNear(open, words, { token: 6, length: 2 });
    const far = wordsNear(open, words, { token: 10, length: 1 });
    expect(near).toBeCloseTo(0.5 * Math.exp(-2 / 6), 6);
    expect(far).toBeLessThan(near);
    expect(far).toBeGreaterThan(0);
  });

  test('words of the mention itself do not count', () => {
    expect(wordsNear(new Map([['garland', 1]]), words, { token: 6, length: 2 })).toBe(0);
  });

  test('words that share their first five letters count four fifths', () => {
    expect(wordsNear(new Map([['performance', 1]]), words, { token: 5, length: 1 })).toBeCloseTo(
      0.8 * Math.exp(-1 / 6),
      6,
    );
  });

  test('without open words nothing is near', () => {
    expect(wordsNear(new Map(), words, { token: 6, length: 2 })).toBe(0);
  });

  test('a sentence that does not exist has no words', () => {
    expect(new SentenceWords(text, [], 'english').of(3)).toEqual([]);
  });

  test('words that are names of other items lead there', () => {
    const near = (others: readonly string[]): number =>
      wordsNear(open, words, { token: 6, length: 2 }, new Set(others));
    expect(near(['director'])).toBe(near([]));
    expect(near(['perform'])).toBe(0);
  });
});
