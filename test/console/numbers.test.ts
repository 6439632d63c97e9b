import { expect, it } from '@jest/globals';
import { grams, short, water } from '../../web/src/shared/format.js';

it('writes numbers of the pages with three digits and never with a power of ten', () => {
  expect([short(999_960), short(999_999_999), short(2e12), short(12_345), short(0.5)]).toEqual([
    '1,000 k',
    '1,000 M',
    '2,000 G',
    '12.3 k',
    '0.5',
  ]);
  expect([grams(999_600), grams(2.5e9), grams(1234), grams(3)]).toEqual(['1,000 kg', '2,500 t', '1.23 kg', '3 g']);
  expect(water(75_000_000)).toBe('75.0 k L');
});
