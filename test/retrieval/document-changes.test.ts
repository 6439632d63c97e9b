import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openWorld, type World } from '../../bench/retrieval/world.js';
import { documentDate, seriesOf } from '../../src/retrieval/change/document-date.js';
import { isoDays } from '../../src/retrieval/dates/dates.js';
import { byGraph } from '../../src/retrieval/score/rank.js';

const DOCUMENTS: Readonly<Record<string, string>> = {
  'minutes-03.md': `# Minutes of the committee, 10 March 2026

## Summer party

The summer party takes place on 11 July at the boathouse. Bert orders the tent.

## Coach

Dora is the coach of the juniors.

## Logs

Access logs are stored for 180 days.`,
  'minutes-05.md': `# Minutes of the committee

Date: 12.05.2026

## Summer party

The boathouse is not free. The summer party is moved to 18 July.

## Coach

Ada proposed that Frank should take over as coach of the juniors.

## Logs

Application logs are now stored for 14 days.`,
  'minutes-2026-09-08.md': `# Minutes of the committee

## Coach

Emil takes over as coach of the juniors.`,
  'prices-2025.md': '# Price list 2025\n\n## Lockers\n\nA small locker is 30 euros a year.',
  'prices-2026.md': '# Price list 2026\n\n## Lockers\n\nA small locker is 36 euros a year.',
};

let world: World;
beforeAll(async () => {
  world = await openWorld('static');
  for (const [name, text] of Object.entries(DOCUMENTS))
    await world.ingest.text({ text, domain: 'club', name, format: 'markdown' });
});
afterAll(() => world.close());

async function ask(context: string) {
  const scope = { domains: ['club'], topK: 10, factors: new Map<string, number>() };
  const { items } = await byGraph(world.parts, context, scope);
  return items.map(({ node, features }) => ({
    text: node.description,
    of: features?.change?.of.description,
    gain: features?.change?.gain,
  }));
}

describe('passages of dated documents', () => {
  test('that say what holds since an earlier one take its place', async () => {
    const [first, second] = await ask('On which day does the summer party take place?');
    expect(first).toMatchObject({ text: expect.stringContaining('18 July'), of: expect.stringContaining('11 July') });
    expect(first?.gain).toBeGreaterThan(0);
    expect(second?.text).toContain('11 July');
  });

  test('keep their place where the question asks how it was', async () => {
    for (const { of } of await ask('When was the summer party in March 2026?')) expect(of).toBeUndefined();
    for (const { of } of await ask('When was the summer party at first?')) expect(of).toBeUndefined();
  });

  test('that propose something take no place', async () => {
    const items = await ask('Who is the coach of the juniors?');
    expect(items[0]?.text).toContain('Emil');
    expect(items.find(({ text }) => text.includes('Frank'))?.of).toBeUndefined();
  });

  test('of another thing take no place', async () => {
    const items = await ask('How long are access logs stored?');
    expect(items[0]?.text).toContain('180 days');
    expect(items.find(({ text }) => text.includes('14 days'))?.of).toBeUndefined();
  });

  test('of a newer edition need no word of change', async () => {
    const items = await ask('How much is a small locker?');
    expect(items[0]).toMatchObject({ text: expect.stringContaining('36'), of: expect.stringContaining('30') });
  });
});

test('a question of thousands of words over dated documents holds up nobody', async () => {
  const words = Array.from({ length: 3000 }, (_, i) => `K${i} ${i}`).join(' ');
  for (const { of } of await ask(`What is the price of ${words}?`)) expect(of).toBeUndefined();
});

describe('the date of a document', () => {
  test.each([
    ['Minutes, 10 March 2026 > Party on 3 May 2026', '', '', '2026-03-10'],
    ['Minutes > Party', 'minutes-2026-05-12.md', '', '2026-05-12'],
    ['Minutes > Party', 'protokoll_2026_05_12.md', 'Datum: 12.05.2026', '2026-05-12'],
    ['Minutes > Party', 'may.md', 'Date: 12.05.2026\nPresent: Ada', '2026-05-12'],
    ['Minutes > Party', 'may.md', 'Hamburg, 12 May 2026', '2026-05-12'],
    ['Reports 2026 > KW 20 / 2026 > Risks', 'reports.md', '', '2026-05-11/2026-05-17'],
    ['Newsletter May 2026 > News', '', 'Open day: 12 July 2026', '2026-05-01/2026-05-31'],
    ['Newsletter 2026 > News', '', 'Date: 12 July 2026', '2026-07-12'],
    ['Price list 2026 > Lockers', 'prices.md', '', '2026-01-01/2026-12-31'],
    ['Reports > 2026-W20 > Risks', 'reports.md', '', '2026-05-11/2026-05-17'],
  ])('of %s, %s, "%s" is %s', (name, label, opening, expected) => {
    expect(isoDays(documentDate({ name, label, opening }, 'english')!)).toBe(expected);
  });

  test.each([
    ['Prices', 'prices.md', 'Valid until 31.12.2030'],
    ['Prices', 'prices.md', '© 2019-2026 Foo'],
    ['The club', 'club.md', 'Founded in 1987'],
    ['Ada Lowe', 'ada.md', 'Born 12 May 1950'],
    ['ISO 9001:2015 manual', 'manual.md', ''],
    ['Invoice', 'Rechnung 10200412.pdf', ''],
    ['Report KW 60/2026', 'report.md', ''],
    ['Report of room 20126', 'report.md', ''],
  ])('is in none of %s, %s, "%s"', (name, label, opening) => {
    expect(documentDate({ name, label, opening }, 'english')).toBeUndefined();
  });

  test('is not one that its text speaks of', () => {
    const opening = 'The next meeting will take place on 12 June 2026 in the boathouse, at seven in the evening.';
    expect(documentDate({ name: 'Minutes > Party', label: 'minutes.md', opening }, 'english')).toBeUndefined();
  });

  test('is left out of what names a series', () => {
    expect(seriesOf('Minutes of the committee, 10 March 2026 > Party')).toBe(
      seriesOf('Minutes of the committee, 12 May'),
    );
    expect(seriesOf('Price list 2025')).toBe(seriesOf('Price list 2026'));
    expect(seriesOf('Price list 2025')).not.toBe(seriesOf('Budget 2026'));
  });
});
