import { expect, it } from '@jest/globals';
import { withIsoDays } from '../../src/ingest/parse/table/column-days.js';

it.each([
  ['the day before the month', [['01/07/2026'], ['25/11/2026']], [['2026-07-01'], ['2026-11-25']]],
  ['the month before the day', [['1/7/2026'], ['11/25/2026']], [['2026-01-07'], ['2026-11-25']]],
  ['hyphens and times', [['01-07-2026 09:30'], ['25-11-2026 10:00']], [['2026-07-01 09:30'], ['2026-11-25 10:00']]],
  [
    'days that are not known',
    [['25/11/2026'], ['n/a'], [''], ['01/07/2026']],
    [['2026-11-25'], ['n/a'], [''], ['2026-07-01']],
  ],
  [
    'days that are not known yet, first',
    [['n/a'], ['25/11/2026'], ['01/07/2026']],
    [['n/a'], ['2026-11-25'], ['2026-07-01']],
  ],
  [
    'no day of a calendar',
    [['25/11/2026'], ['31/04/2026'], ['00/05/2026']],
    [['2026-11-25'], ['31/04/2026'], ['00/05/2026']],
  ],
  [
    'a column of both orders beside one of an order',
    [
      ['25/11/2026', '25/11/2026'],
      ['01/07/2026', '11/25/2026'],
    ],
    [
      ['2026-11-25', '25/11/2026'],
      ['2026-07-01', '11/25/2026'],
    ],
  ],
  ['another column that has none', [['a', '25/11/2026', '05/06/2026']], [['a', '2026-11-25', '2026-06-05']]],
])('a column tells the order of its days: %s', (_what, rows, wanted) => {
  expect(withIsoDays(rows)).toEqual(wanted);
});

it.each([
  ['no number over 12', [['01/07/2026'], ['02/08/2026']]],
  ['numbers over 12 in both places', [['25/11/2026'], ['11/25/2026']]],
  ['columns that differ', [['01/07/2026', '25/11/2026', '11/25/2026']]],
  ['other cells with digits', [['25/11/2026'], ['room 4']]],
  ['words with a day among them', [['Ring Bo'], ['25/11/2026 at noon'], ['Ask Al']]],
  ['no days', [['45/11/2026'], ['01/02/2026']]],
  ['fractions', [['1/2'], ['25/3']]],
])('days stay as they are written: %s', (_what, rows) => {
  const kept = rows.map((row) => row[0]);
  expect(withIsoDays(rows).map((row) => row[0])).toEqual(kept);
});
