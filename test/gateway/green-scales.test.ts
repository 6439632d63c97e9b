import { expect, it } from '@jest/globals';
import { dataQualityScore } from '../../src/gateway/green/accounting/bands.js';
import { equivalentsOf } from '../../src/gateway/green/report/equivalents.js';

it.each([
  [1, 1],
  [0.8, 1],
  [0.799, 2],
  [0.6, 2],
  [0.599, 3],
  [0.4, 3],
  [0.399, 4],
  [0.2, 4],
  [0.199, 5],
  [0, 5],
])('the data quality of confidence %d is %d', (confidence, score) => {
  expect(dataQualityScore(confidence)).toBe(score);
});

it.each([
  [
    'epa-2026',
    { carKm: 50, phoneCharges: 984, treeDays: 12_200 / 16.4, webSearches: 61_000, streamingHours: 12_200 / 36 },
  ],
  [
    'eu',
    {
      carKm: 12_200 / 142,
      phoneCharges: 1220,
      treeDays: 12_200 / 48,
      webSearches: 61_000,
      streamingHours: 12_200 / 36,
    },
  ],
])('compares by the profile %s', (profile, expected) => {
  expect(equivalentsOf(12_200, profile)).toEqual({ ...expected, profile });
});
