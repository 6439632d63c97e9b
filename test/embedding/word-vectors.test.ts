import { expect, it } from '@jest/globals';
import { sharedStatic } from '../../src/backends/embedding/static/shared-static.js';

function cosines(words: readonly string[], to: readonly string[]): number[][] {
  const all = sharedStatic().cosines(words, to);
  return words.map((_, i) => [...all.slice(i * to.length, (i + 1) * to.length)]);
}

it('puts words of one meaning near each other and others apart', () => {
  const [[weight, owner], [heavy]] = cosines(['weigh', 'heavy'], ['weight', 'owner']) as [number[], number[]];
  expect(weight).toBeGreaterThan(0.85);
  expect(heavy).toBeGreaterThan(0.6);
  expect(owner).toBeLessThan(0.2);
});

it('agrees with the vectors of the words as texts, pieces summed', async () => {
  const words = ['recalled', 'xylophonist', "o'clock", 'Häuser'];
  const vectors = await sharedStatic().embed(words);
  cosines(words, words).forEach((row, i) => {
    row.forEach((cosine, j) => {
      const expected = vectors[i]!.reduce((sum, value, at) => sum + value * vectors[j]![at]!, 0);
      expect(cosine).toBeCloseTo(expected, 5);
    });
  });
});

it('puts a word of unknown characters at 0 from all, itself included', () => {
  expect(cosines(['𒀀𒀁', ''], ['𒀀𒀁', 'weight'])).toEqual([
    [0, 0],
    [0, 0],
  ]);
  expect(cosines([], ['weight'])).toEqual([]);
});

it('compares with any number of words, and goes on when its memory is full', () => {
  const many = Array.from({ length: 20_000 }, (_, i) => `word${i.toString(36)}`);
  const [row] = cosines(['weigh'], [...many.slice(0, 70), 'weight', 'weigh']) as [number[]];
  expect(row.slice(-2).map((cosine) => cosine.toFixed(2))).toEqual(['0.90', '1.00']);
  const all = sharedStatic().cosines([...many, 'weight'], ['weigh']);
  expect(all.at(-1)!.toFixed(2)).toBe('0.90');
  expect(cosines(['weigh'], many.slice(0, 70))[0]).toEqual(row.slice(0, 70));
});
