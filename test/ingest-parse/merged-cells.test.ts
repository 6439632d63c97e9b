import { describe, expect, it } from '@jest/globals';
import { chunk } from '../../src/ingest/extract/chunk.js';
import { parse } from '../../src/ingest/parse/parse.js';
import { withMergedCells } from '../../src/ingest/parse/table/merged-cells.js';

const source = { domain: 'd', kind: 'file', key: 'plan.csv', label: 'plan.csv' } as const;

async function texts(written: string): Promise<string[]> {
  const bytes = new TextEncoder().encode(written);
  const passages = await chunk(await parse({ bytes, name: 'plan.csv', type: 'csv' }), { source, title: 'plan.csv' });
  return passages.map(({ title, text }) => `${title}: ${text}`);
}
const filled = (...rows: string[]) => withMergedCells(rows.map((row) => row.split(','))).map((row) => row.join(','));

describe('cells of a table that were merged', () => {
  it('stand in each row of their group', async () => {
    expect(
      await texts('Day,Hour,Class,Room\nMonday,1,9B,L2\n,2,9B,E1\nTuesday,1,9B,M4\n,2,10C,L2\n,3,7A,E1\n'),
    ).toEqual([
      'plan > Monday, hour 1: day: Monday; hour: 1; class: 9B; room: L2.',
      'plan > Monday, hour 2: day: Monday; hour: 2; class: 9B; room: E1.',
      'plan > Tuesday, hour 1: day: Tuesday; hour: 1; class: 9B; room: M4.',
      'plan > Tuesday, hour 2: day: Tuesday; hour: 2; class: 10C; room: L2.',
      'plan > Tuesday, hour 3: day: Tuesday; hour: 3; class: 7A; room: E1.',
    ]);
  });

  it('are told by times, by parallel rows and by words that each group has', () => {
    expect(filled('Mon,8.15,Ada', ',10.30,Bo', 'Tue,8.15,Cy', ',9.00,Di')[1]).toBe('Mon,10.30,Bo');
    expect(filled('Mon,1,Ada', ',1,Bo', ',2,Cy', 'Tue,1,Di', ',2,Ed')[2]).toBe('Mon,2,Cy');
    expect(filled('North,Rent,5', ',Power,2', 'South,Rent,4', ',Power,3', 'East,Rent,4', ',Power,1')[5]).toBe(
      'East,Power,1',
    );
  });

  it('are no cells that nobody filled', () => {
    for (const rows of [
      // Numbers of some orders.
      ['A-1,kettle,5', ',pan,2', 'A-2,lid,4', ',cup,3'],
      // A nickname; the first row without one.
      ['Bo,Robert,5', ',Ada,2', ',Cy,4', 'Di,Diana,3'],
      [',1,5', 'Mon,2,2', ',1,4', 'Tue,2,3'],
      // A label that stands again.
      ['x,1,5', ',2,2', 'x,1,4', ',2,3'],
      // Numbers that go on.
      ['x,1,5', ',2,2', 'y,3,4', ',4,3'],
      ['x,open,5', ',shut,2', 'y,open,4', ',open,3', 'z,shut,3', ',shut,3'],
    ])
      expect(filled(...rows)).toEqual(rows);
  });

  it('are not of a sum below the group', () => {
    expect(filled('Mon,1,Ada,7', ',2,Bo,8', ',,,15', 'Tue,1,Cy,1', ',2,Di,2')[2]).toBe(',,,15');
  });

  it('are found in linear time', () => {
    const rows = Array.from({ length: 200_000 }, (_, i) => [i % 2 === 0 ? `d${i}` : '', String(i % 2), 'x']);
    const started = process.cpuUsage();
    expect(withMergedCells(rows)[1]).toEqual(['d0', '1', 'x']);
    expect(process.cpuUsage(started).user).toBeLessThan(2_000_000);
  });
});
