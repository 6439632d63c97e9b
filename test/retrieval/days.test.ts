import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openWorld, type World } from '../../bench/retrieval/world.js';
import { Retrieval } from '../../src/retrieval/retrieval.js';

const DAY = 86_400_000;
const LAST = Date.parse('2026-11-04T18:00:00Z');
const DAYS = 320;

/** A message a day; the last ones speak of something else than all before. */
function textOf(i: number): string {
  if (i >= DAYS - 10) return `The letter said IBAN DE89 ${i}.`;
  if (i % 40 === 18) return `Ada, but everybody says Addie, and that is what she told them, number ${i}.`;
  return i % 40 === 7
    ? `On row 9 something moved in May, number ${i}.`
    : `Yesterday something happened with the boat, part ${i}.`;
}

let world: World;
beforeAll(async () => {
  world = await openWorld('static');
  for (let i = 0; i < DAYS; i += 1) {
    await world.ingest.message({
      ...{ text: textOf(i), speaker: i % 2 === 0 ? 'Ada' : 'Ben', role: 'user', domain: 'chat', message_id: `${i}` },
      // A session a month, so that the last message is in none that the search finds first.
      ...{ session_id: `month ${Math.floor(i / 30)}`, timestamp: new Date(LAST - (DAYS - 1 - i) * DAY).toISOString() },
    });
  }
}, 120_000);
afterAll(() => world.close());

async function days(context: string, parts: object = {}): Promise<string[]> {
  const retrieval = new Retrieval({ ...world.parts, ...parts });
  const { items } = await retrieval.query({ context, domains: ['chat'], top_k: 3 });
  return items.map(({ content }) => /, (\d+ \w+ \d+):/u.exec(content)?.[1] ?? content);
}

describe('a day that a question speaks of', () => {
  test('counts from the latest message of all, whatever the question finds first', async () => {
    expect((await days('What happened yesterday?'))[0]).toMatch(/^[34] November 2026/u);
    expect((await days('Which IBAN came yesterday?'))[0]).toMatch(/^[34] November 2026/u);
    for (const day of await days('What happened last week?'))
      expect(day).toMatch(/^(?:2[6-9]|3[01]) October|^[12] November/u);
  });

  test('stands before the day after it', async () => {
    expect((await days('What happened on 20 July 2026?'))[0]).toBe('20 July 2026');
    expect((await days('What was said on 2 September?'))[0]).toBe('2 September 2026');
    expect((await days('What did Ada write on 14 June 2026?'))[0]).toBe('14 June 2026');
  });

  test('counts from today while people still write', async () => {
    const at = (iso: string) => ({ clock: () => Date.parse(iso) });
    const first = async (iso: string) => (await days('What happened the day before yesterday?', at(iso)))[0];
    expect(await first('2026-11-06T09:00:00Z')).toBe('4 November 2026');
    expect(await first('2027-03-01T09:00:00Z')).toMatch(/^[23] November 2026/u);
  });

  test('comes before messages that hold words of the date', async () => {
    expect((await days('What happened on 9 May 2026?'))[0]).toMatch(/^(?:9|10) May 2026/u);
    expect((await days('What happened on 9.5.2026?'))[0]).toMatch(/^(?:9|10) May 2026/u);
    expect((await days('What happened in May 2026?'))[0]).toMatch(/May 2026$/u);
  });

  test('is what a question asks for that wants to know what somebody said then', async () => {
    for (const context of [
      'What did Ada say on 9 May 2026?',
      'What was said on 9 May 2026?',
      'What did Ada write on 2026-05-09?',
      'What did Ada tell Ben on May 9, 2026?',
    ])
      expect((await days(context))[0]).toMatch(/^(?:9|10) May 2026/u);
  });

  test('is what a question asks for that wants to know what somebody decided or announced then', async () => {
    for (const context of [
      'What did Ada decide on 9 May 2026?',
      'What was agreed on 9 May 2026?',
      'What did Ada announce on May 9, 2026?',
    ])
      expect((await days(context))[0]).toMatch(/^(?:9|10) May 2026/u);
  });

  test('is no reason for a message of another day', async () => {
    const { items } = await new Retrieval(world.parts).query({
      ...{ context: 'What did Ada say on 9 May 2026?', domains: ['chat'], top_k: 8 },
    });
    const reasons = items.map(({ content, metadata }) => [
      content.includes(', 9 May 2026:'),
      (metadata.why as { when?: string }).when,
    ]);
    expect(reasons.filter(([isOfDay]) => isOfDay)).toEqual([[true, '2026-05-09']]);
    expect(reasons.filter(([isOfDay, when]) => !isOfDay && when !== undefined)).toEqual([]);
  });

  test('that counts from another is named with that one', async () => {
    const meant = async (context: string, parts: object = {}): Promise<unknown> => {
      const retrieval = new Retrieval({ ...world.parts, ...parts });
      const { items } = await retrieval.query({ context, domains: ['chat'], top_k: 1 });
      return (items[0]!.metadata.why as { meant?: unknown }).meant;
    };
    expect(await meant('What happened last week?')).toEqual({
      ...{ words: 'last week', days: '2026-10-26/2026-11-01', from: '2026-11-04', by: 'newest_message' },
    });
    const clock = () => Date.parse('2026-11-06T09:00:00Z');
    expect(await meant('What happened yesterday?', { clock })).toEqual({
      ...{ words: 'yesterday', days: '2026-11-05', from: '2026-11-06', by: 'today' },
    });
    expect(await meant('What did Ada say on 9 May 2026?')).toBeUndefined();
  });

  test('is named in the reason, as the days that were meant', async () => {
    const when = async (context: string): Promise<unknown> => {
      const { items } = await new Retrieval(world.parts).query({ context, domains: ['chat'], top_k: 1 });
      return (items[0]!.metadata.why as { when?: string }).when;
    };
    expect(await when('What happened last week?')).toBe('2026-10-26/2026-11-01');
    expect(await when('What did Ada say on 9 May 2026?')).toBe('2026-05-09');
    expect(await when('Which IBAN came?')).toBeUndefined();
  });
});
