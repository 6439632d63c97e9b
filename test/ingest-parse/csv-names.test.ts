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

  it('without a cell for its name does not stand below the name of the row before it', async () => {
    expect(await texts('name,price,shelf\nTea,3,A\n,5,B\nRum,7,C\n')).toEqual([
      'stock: - price: 5; shelf: B.',
      'stock > Tea: price: 3; shelf: A.',
      'stock > Rum: price: 7; shelf: C.',
    ]);
  });

  it('is named by no secret that was left out', async () => {
    expect((await texts('password,owner,system\nhunter22xx,Ann,vpn\n,Ann,vpn\n,Ann,mail\n')).map(titleOf)).toEqual([
      'stock',
    ]);
    expect((await texts('password,owner,no\nhunter22xx,Ann,1\n,Ann,2\n,Bob,3\n')).map(titleOf)).toEqual([
      'stock > Ann, no 1',
      'stock > Ann, no 2',
      'stock > Bob, no 3',
    ]);
  });

  it('without a name is found by the fewest leading cells that tell it from the others', async () => {
    expect(
      await texts('from,to,person\n2026-11-02,2026-11-08,Priya\n2026-11-09,2026-11-15,Marek\n,2026-11-22,Priya\n'),
    ).toEqual([
      'stock: - to: 2026-11-22; person: Priya.',
      'stock > from 2026-11-02: from: 2026-11-02; to: 2026-11-08; person: Priya.',
      'stock > from 2026-11-09: from: 2026-11-09; to: 2026-11-15; person: Marek.',
    ]);
    const lessons = ['Monday,08:00,08:45,5b,Sport', 'Monday,08:00,08:45,7a,Physics', 'Tuesday,08:00,08:45,5b,Art'];
    expect((await texts(`day,start,end,class,subject\n${lessons.join('\n')}\n`)).map(titleOf)).toEqual([
      'stock > Monday, class 5b',
      'stock > Monday, class 7a',
      'stock > Tuesday, class 5b',
    ]);
    // What all rows say, and long texts, tell none from another; a row may lack a cell.
    const long = 'a remark of some length '.repeat(5).trim();
    const rows = [`Berlin,${long} 1,1001,2`, `Berlin,${long} 2,,3`, 'Berlin,late,1003,3'];
    expect((await texts(`shop,remark,order no,quantity\n${rows.join('\n')}\n`)).map(titleOf)).toEqual([
      'stock',
      'stock > order no 1001',
      'stock > order no 1003',
    ]);
  });

  it('without a name stands with the others where four cells do not tell them apart, or no cell says more than numbers', async () => {
    const throws = [...Array(10).keys()].map((i) => `${i % 2},${i % 3},red,${i % 2 === 0 ? 'won' : 'lost'}`);
    expect(await texts(`first,second,side,result\n${throws.join('\n')}\n`)).toHaveLength(1);
    expect(await texts('time,temperature,unit\n08:00,21,degrees\n09:00,22,degrees\n')).toHaveLength(1);
  });

  it('has the names of its columns below the titles of a spreadsheet, whose rows are all as wide', async () => {
    const printed = 'Suppliers of the shop;;;\nPrinted;;;\n;;;\nSupplier;Contact;Phone;Delivery day\n';
    expect(await texts(`${printed}Velo;Saskia;010 55;Tuesday\nNordrad;Kolb;0421 55;Friday\n`)).toEqual([
      'stock: Suppliers of the shop\nPrinted',
      'stock > Velo: supplier: Velo; contact: Saskia; phone: 010 55; delivery day: Tuesday.',
      'stock > Nordrad: supplier: Nordrad; contact: Kolb; phone: 0421 55; delivery day: Friday.',
    ]);
    // Names of groups of columns stand above the head too.
    expect(await texts(',Autumn,,Spring,\nName,Maths,Art,Maths,Art\nTobi,3,2,1,2\n')).toEqual([
      'stock: Autumn Spring',
      'stock > Tobi: maths: 3; art: 2; maths: 1; art: 2.',
    ]);
    // A row with few cells above others, of which none names the columns, is a row.
    expect(await texts('Tea,,,\nMilk,2,3,4\nBread,1,2,3\n')).toEqual([
      'stock: - Tea',
      'stock > Milk: 2; 3; 4.',
      'stock > Bread: 1; 2; 3.',
    ]);
  });
});

function titleOf(text: string): string {
  return text.slice(0, text.indexOf(': '));
}

it('a column whose values stand in other columns, too, names no rows: a rota is told by its days', async () => {
  const rota = `date,opens,tea
2026-11-24,Karl,Rosa
2026-12-01,Paul,Karl
2026-12-08,Rosa,Paul`;
  expect((await texts(rota)).map((text) => text.split(':')[0])).toEqual([
    'stock > date 2026-11-24',
    'stock > date 2026-12-01',
    'stock > date 2026-12-08',
  ]);
});
