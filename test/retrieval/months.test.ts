import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openWorld, type World } from '../../bench/retrieval/world.js';
import { dayHolders } from '../../src/retrieval/dates/day-holders.js';

const ENTRIES = [
  ['2024-01-03', 'The roof was mended'],
  ['2024-02-11', 'The gate was painted'],
  ['2024-03-14', 'The pump was replaced'],
  ['2024-03-28', 'The lamp was lit'],
  ['2024-04-03', 'The mast was cut'],
  ['2023-03-09', 'The hull was tarred'],
  ['2024-06-01', 'The anchor was lost'],
  ['2024-07-03', 'The rope was bought'],
  ['2024-08-03', 'The deck was scrubbed'],
] as const;
const LOG = ENTRIES.map(([day, what], i) => `## Entry ${i}\n\n${day}: ${what} by the crew.\n`).join('\n');
const NOTE = '\n## Note\n\nThe plan of March 2024 was kept in the drawer.\n';

let world: World;
beforeAll(async () => {
  world = await openWorld('none');
  await world.ingest.text({ domain: 'days', text: `# Log\n\n${LOG}`, format: 'markdown', name: 'log.md' });
  await world.ingest.text({ domain: 'both', text: `# Log\n\n${LOG}${NOTE}`, format: 'markdown', name: 'log.md' });
});
afterAll(() => world.close());

/** Asks for a month in its language. */
const asking = (month: string): string => {
  if (month.startsWith('März')) return `Welche cores wurden im ${month} genommen?`;
  if (month.startsWith('jui')) return `Quels sont les cores qui ont été pris en ${month} ?`;
  if (month.startsWith('maart')) return `Welke cores zijn er in ${month} genomen en waarom?`;
  return `Which cores were taken in ${month}?`;
};

/** Returns what holds a day that a question asks about, by the numbers in it alone. */
const held = async (text: string, language = 'english'): Promise<string[]> => {
  const holders = await dayHolders(world.parts, { text, language }, { domains: ['days'] });
  if (holders === undefined) return [];
  const nodes = await world.parts.graph.getNodes(holders.ids);
  await holders.days.read(nodes);
  return nodes.flatMap(({ id, description }) => (holders.days.items.has(id) ? [description] : [])).sort();
};

const answer = async (context: string, domain: string) => {
  const { items } = await world.retrieval.query({ context, domains: [domain], top_k: 4 });
  return items.map(({ content, score }) => ({ day: /\d{4}-\d\d-\d\d/u.exec(content)?.[0] ?? 'March 2024', score }));
};

describe('a month that a question names', () => {
  it('may be asked for in part: its last week, or the days from one to another', async () => {
    for (const asked of ['the last week of March 2024', 'late March 2024', '20 to 30 March 2024']) {
      const days = (await held(`Which cores were taken in ${asked}?`)).map((text) => text.slice(0, 10));
      expect([asked, days]).toEqual([asked, ['2024-03-28']]);
    }
  });

  it.each(['What happened in March 2024?', 'Which repairs were made in March 2024?'])(
    'is found in the days that items hold, before other days with its numbers: %s',
    async (question) => {
      const [first, second, third] = await answer(question, 'days');
      expect([first?.day, second?.day].sort()).toEqual(['2024-03-14', '2024-03-28']);
      expect(second!.score).toBeGreaterThan(1.5 * third!.score);
    },
  );

  it('is found in days also where another item holds the month by its name', async () => {
    const [first, ...others] = await answer('What happened in March 2024?', 'both');
    expect(first?.day).toBe('March 2024');
    expect([others[0]?.day, others[1]?.day].sort()).toEqual(['2024-03-14', '2024-03-28']);
    expect(others[1]!.score).toBeGreaterThan(5 * others[2]!.score);
  });

  it.each([
    ['dots', 'July 2026', ['02.07.2026', '20.7.2026'], ['07.02.2026', '02.08.2026', '11.06.2026']],
    ['dots and one zero', 'July 2026', ['02.7.2026', '1.07.2026'], ['7.01.2026', '02.8.2026', '11.06.2026']],
    ['dots from the year on', 'June 2025', ['2025.06.04', '2025.06.30'], ['2025.05.06', '06.05.2025', '2025.08.06']],
    ['names', 'July 2026', ['02/Jul/2026', '2-jul-2026'], ['02/Aug/2026', '11/Jun/2026', '07/Jun/2026']],
    ['names and dots', 'März 2026', ['02.Mär.2026', '2.Mär.2026'], ['02.Mai.2026', '11.Jun.2026', '03.Jun.2026']],
    ['another short name', 'März 2027', ['02.Mrz.2027', '12-Mrz-2027'], ['02.Mai.2027', '11.Jun.2027', '03.Jun.2027']],
    ['four letters', 'juin 2026', ['02/juin/2026', '12-juin-2026'], ['02/juil/2026', '12/mai/2026', '06/juil/2026']],
    [
      'a whole name',
      'juillet 2027',
      ['02/juillet/2027', '9/juil/2027'],
      ['2/juin/2027', '12/mai/2027', '06/juin/2027'],
    ],
    ['letters of it', 'maart 2026', ['02/mrt/2026', '12-mrt-2026'], ['02/mei/2026', '12/mei/2026', '03/jan/2026']],
    ['slashes', 'June 2025', ['2025/06/04', '2025/06/30'], ['2025/05/06', '06/05/2025', '2025/08/06']],
  ])('is found in days that a table writes with %s', async (domain, month, within, others) => {
    const rows = [...others, ...within].map((day, i) => `K-${i}44;${day};site ${i};frozen`).join('\n');
    const text = `core;taken;site;state\n${rows}\n`;
    await world.ingest.uploaded({ name: 'cores.csv', bytes: Buffer.from(text) }, { domain });
    const { items } = await world.retrieval.query({
      context: asking(month),
      domains: [domain],
      top_k: 4,
    });
    const first = items.slice(0, 2).map(({ content }) => within.find((day) => content.includes(day)));
    expect(first.sort()).toEqual(within);
    expect(items[1]!.score).toBeGreaterThan(items[2]?.score ?? 0);
  });

  it('is looked for where it is named with its year alone', async () => {
    for (const text of ['What happened in March?', 'What happened in 2024?', 'Why?'])
      expect(await held(text)).toEqual([]);
    const inMarch = ['2024-03-14: The pump was replaced by the crew.', '2024-03-28: The lamp was lit by the crew.'];
    expect(await held('Was geschah im März 2024?', 'german')).toEqual(inMarch);
    expect(await held('What happened in March 2024?')).toEqual(inMarch);
  });
});
