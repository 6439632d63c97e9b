import { expect, it } from '@jest/globals';
import { repairedLines } from '../../src/cli/output/repaired.js';

const engine = (written: number, rewritten: number, removed: number) => ({
  counts: [],
  indexed: 0,
  engines: [{ engine: 'neo4j', written, rewritten, removed }],
});

it.each([
  ['nothing', engine(0, 0, 0), ['Nothing had to be mended.']],
  [
    'records that carried no fingerprint',
    engine(0, 12, 0),
    [
      'Wrote 12 records of neo4j again to be sure: nothing told whether they differed.',
      'Nothing else had to be mended.',
    ],
  ],
  [
    'one of these beside what differed',
    engine(2, 1, 3),
    [
      'Wrote 2 records to neo4j and removed 3.',
      'Wrote 1 record of neo4j again to be sure: nothing told whether it differed.',
    ],
  ],
])('a repair that wrote %s says so', (_, repaired, lines) => {
  expect(repairedLines(repaired)).toEqual(lines);
});
