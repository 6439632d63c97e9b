import { describe, expect, it } from '@jest/globals';
import { htmlParts } from '../../src/ingest/parse/html.js';
import { processorTime } from '../support/processor-time.js';

const rows = (html: string) => htmlParts(`<table>${html}</table>`).parts.map(({ text }) => text);

describe('a cell that a page merged over several rows', () => {
  it('stands in each of them, in its column', () => {
    const dogs = '<tr><td rowspan=2>Dog</td><td>DHP</td><td rowspan="3">yearly</td></tr><tr><td>Lepto</td></tr>';
    expect(rows(`<tr><th>For</th><th>What</th><th>When</th></tr>${dogs}<tr><td>Cat</td><td>RCP</td></tr>`)).toEqual([
      '| For | What | When |',
      '| Dog | DHP | yearly |',
      '| Dog | Lepto | yearly |',
      '| Cat | RCP | yearly |',
    ]);
  });

  it('stands between the cells of a second row of heads', () => {
    const first = '<tr><th rowspan=2>Drug</th><th colspan=2>Dose</th><th rowspan=2>Interval</th></tr>';
    expect(rows(`<thead>${first}<tr><th>small</th><th>large</th></tr></thead><tr><td>A</td><td>1</td></tr>`)).toEqual([
      '| Drug | Dose | Interval |',
      '| Drug | small | large | Interval |',
      '| A | 1 |',
    ]);
  });

  it('covers several columns of them once', () => {
    const open = '<tr><td rowspan=2 colspan=2>shut</td><td>Mon</td></tr><tr><td>Tue</td></tr>';
    expect(rows(open)).toEqual(['| shut | Mon |', '| shut | Tue |']);
  });

  it('ends with its part of the table, and makes no row of an empty one', () => {
    const body = '<tbody><tr><td rowspan=0>A</td><td>1</td></tr><tr><td>2</td></tr><tr></tr><tr><td></td></tr></tbody>';
    expect(rows(`${body}<tbody><tr><td>B</td><td>3</td></tr></tbody>`)).toEqual([
      '| A | 1 |',
      '| A | 2 |',
      '| B | 3 |',
    ]);
  });

  it('stands in its first row only where it is long, or holds a table', () => {
    const long = 'word '.repeat(60).trim();
    expect(rows(`<tr><td rowspan=2>${long}</td><td>1</td></tr><tr><td>2</td></tr>`)).toEqual([
      `| ${long} | 1 |`,
      '| 2 |',
    ]);
    const inner = '<table><tr><td rowspan=2>in</td><td>x</td></tr><tr><td>y</td></tr></table>';
    expect(rows(`<tr><td rowspan=2>${inner}</td><td>1</td></tr><tr><td>2</td></tr>`)).toEqual([
      '| in | x |',
      '| in | y |',
      '1',
      '| 2 |',
    ]);
  });

  it('adds little to a row where many columns are merged', () => {
    const cells = `<td rowspan=1000>${'w'.repeat(100)}`.repeat(100);
    const [, second = ''] = rows(`<tr>${cells}<tr><td>1`);
    expect(second.length).toBeLessThan(450);
  });

  it('takes little time however much it covers', async () => {
    const block = `<tr><td rowspan=65534 colspan=65534>a${'<tr><td>x'.repeat(999)}`;
    // The code is compiled before.
    rows(block.repeat(2));
    expect(await processorTime(() => rows(block.repeat(20)))).toBeLessThan(1500);
  });
});
