import { describe, expect, it } from '@jest/globals';
import { chunk } from '../../src/ingest/extract/chunk.js';
import { parse } from '../../src/ingest/parse/parse.js';

const source = { domain: 'd', kind: 'file', key: 'stock.csv', label: 'stock.csv' } as const;

async function texts(written: string): Promise<string[]> {
  const parsed = await parse({ bytes: Buffer.from(written), name: 'stock.csv', type: 'csv' });
  return (await chunk(parsed, { source, title: 'stock.csv' })).map(({ title, text }) => `${title}: ${text}`);
}

describe('a row of CSV', () => {
  it('is named by no date with the name of its month', async () => {
    const rows = ['12.Mai.2026', '3 March 2026', '7-Jun-26', '1. Sept. 2026'].map((day, i) => `${day};${i}4,20;${i}`);
    const [text, ...others] = await texts(`Datum;Betrag;Konto\n${rows.join('\n')}\n`);
    expect([text, others]).toEqual([expect.stringMatching(/^stock: .*datum: 12\.Mai\.2026; betrag: 04,20/su), []]);
  });

  it('is named by a number, a word and a number that is no month', async () => {
    expect(await texts('part,price\n1 Bolts 10,0.2\n2 Screws 12,0.3\n4 Mats 20,9\n')).toEqual([
      'stock > 1 Bolts 10: part: 1 Bolts 10; price: 0.2.',
      'stock > 2 Screws 12: part: 2 Screws 12; price: 0.3.',
      'stock > 4 Mats 20: part: 4 Mats 20; price: 9.',
    ]);
    for (const days of ['12/juin/2026 3/juillet/2026', '12-mrt-26 3-okt-26', '1. Mrz. 2026 2. Sept. 2026']) {
      const rows = days.split(/ (?=\d\D*$|\d\. S)/u).map((day, i) => `${day};${i}4,20`);
      expect(await texts(`Datum;Betrag\n${rows.join('\n')}\n`)).toHaveLength(1);
    }
  });
});
