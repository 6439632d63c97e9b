import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openWorld, type World } from '../../bench/retrieval/world.js';
import { askedDays } from '../../src/retrieval/dates/asked-days.js';
import { dayOf, isoDays } from '../../src/retrieval/dates/dates.js';
import { statedRanges } from '../../src/retrieval/dates/stated-ranges.js';
import { Retrieval } from '../../src/retrieval/retrieval.js';

const NOW = Date.parse('2026-11-18T10:00:00Z');
const today = dayOf('2026-11-18')!;

describe('the days that a question asks about', () => {
  const asked = (question: string, language = 'english') =>
    askedDays(question, { language, today })?.ranges.map(isoDays) ?? [];

  it.each([
    ['english', 'Who is on call on 3 May 2025?', ['2025-05-03']],
    ['english', 'Who is on call in the week of 7 December 2026?', ['2026-12-07/2026-12-13']],
    ['english', 'Who is on call in May 2025?', ['2025-05-01/2025-05-31']],
    ['english', 'Who is on call on 20 November?', ['2025-11-20', '2026-11-20']],
    ['english', 'Who is on call in the week of 7 December?', ['2025-12-01/2025-12-07', '2026-12-07/2026-12-13']],
    ['english', 'Who is on call today?', ['2026-11-18']],
    ['english', 'Who is on call tomorrow?', ['2026-11-19']],
    ['english', 'Who is on call next week?', ['2026-11-23/2026-11-29']],
    ['english', 'Who is on call next month?', ['2026-12-01/2026-12-31']],
    ['english', 'Who was on call yesterday?', ['2026-11-17']],
    ['english', 'Who is on call the day after tomorrow?', ['2026-11-20']],
    ['english', 'Who is on call this week?', ['2026-11-16/2026-11-22']],
    ['english', 'Who is on call this month?', ['2026-11-01/2026-11-30']],
    ['german', 'Wer hat übermorgen Dienst?', ['2026-11-20']],
    ['german', 'Wer hat morgen um neun Dienst?', ['2026-11-19']],
    ['german', 'Guten Morgen, wer hat Dienst?', []],
    ['german', 'Wer hatte gestern Morgen Dienst?', ['2026-11-17']],
    ['german', 'Wer hatte heute Morgen Dienst?', ['2026-11-18']],
    ['french', 'Qui est de garde après-demain ?', ['2026-11-20']],
    ['spanish', '¿Quién trabaja pasado mañana?', ['2026-11-20']],
    ['spanish', '¿Quién trabaja cada mañana?', []],
    ['spanish', 'quien trabaja manana', ['2026-11-19']],
    ['spanish', 'quien trabaja el proximo lunes', ['2026-11-23']],
    ['french', 'qui a travaille la semaine derniere', ['2026-11-09/2026-11-15']],
    ['spanish', 'quien trabajo hace dos dias', ['2026-11-16']],
    ['portuguese', 'Quem trabalha depois de amanhã?', ['2026-11-20']],
    ['dutch', 'Goede morgen, wie werkt er?', []],
    ['german', 'Wer hat morgen Dienst?', ['2026-11-19']],
    ['german', 'Wer hat am Morgen Dienst?', []],
    ['german', 'Wer hat in der Woche vom 7. Dezember 2026 Dienst?', ['2026-12-07/2026-12-13']],
    ['german', 'Wer hat am 20.11. Dienst?', ['2025-11-20', '2026-11-20']],
    ['german', 'Was steht in Abschnitt 3.2. der Satzung?', []],
    ['german', 'Was gilt seit 3.10.2?', []],
    ['french', 'Qui est de garde le 3/5 ?', ['2026-05-03', '2027-05-03']],
    ['english', 'Who ate 3/4 of the cake?', []],
    ['french', 'Qui est de garde la semaine prochaine ?', ['2026-11-23/2026-11-29']],
    ['spanish', '¿Quién trabaja mañana?', ['2026-11-19']],
    ['spanish', '¿Quién trabaja por la mañana?', []],
    ['english', 'Who was on call in 2025?', []],
    ['english', 'Who is on call?', []],
  ])('are read from it: %s, %s', (language, question, days) => expect(asked(question, language)).toEqual(days));

  it('are all days of a month in the next year, too', () => {
    const ranges = askedDays('What happens in February?', { language: 'english', today: dayOf('2023-11-18')! })!.ranges;
    expect(ranges.map(isoDays)).toEqual(['2023-02-01/2023-02-28', '2024-02-01/2024-02-29']);
  });

  it('are none without a year where today is not known', () => {
    for (const question of ['Who is on call on 20 November?', 'Who is on call tomorrow?', 'Who was it last week?'])
      expect(askedDays(question, { language: 'english' })).toBeUndefined();
  });
});

describe('the times that a text states', () => {
  it.each([
    ['english', 'from: 2026-11-16; to: 2026-11-22; person: Jo', ['2026-11-16/2026-11-22']],
    ['english', '- start date: 16 Nov 2026; room: 4; end date: 22 Nov 2026.', ['2026-11-16/2026-11-22']],
    ['english', 'start: 2026-11-16T08:00:00Z; end: 2026-11-16T17:00:00Z.', ['2026-11-16']],
    ['german', 'von: 16.11.2026; bis: 22.11.2026; wer: Jo.', ['2026-11-16/2026-11-22']],
    ['english', 'We are closed from 24 December 2026 to 2 January 2027.', ['2026-12-24/2027-01-02']],
    ['english', 'Open 16–22 November 2026, and 1 to 3 May 2027.', ['2026-11-16/2026-11-22', '2027-05-01/2027-05-03']],
    ['german', 'Die Halle ist vom 3. bis 9. August 2026 geschlossen.', ['2026-08-03/2026-08-09']],
    ['english', 'from: Anna; to: Bert; sent: 2026-11-16.', []],
    ['english', 'to: 2026-11-16; from: 2026-11-22.', []],
    ['english', 'Of 2026: 2026-11-16, 2026-11-22.', []],
    ['english', 'Closed from 24 to 31 December.', []],
  ])('are read from it: %s, %s', (language, text, ranges) =>
    expect(statedRanges(text, language).map(isoDays)).toEqual(ranges),
  );
});

describe('a row from one day to another', () => {
  const PEOPLE = ['Priya Nair', 'Marek Sobczak', 'Jonas Weber', 'Aiko Tanaka'];
  const day = (week: number): string => isoDays({ from: dayOf('2025-06-02')! + 7 * week, to: 0 }).split('/')[0]!;
  const last = (week: number): string => isoDays({ from: dayOf('2025-06-08')! + 7 * week, to: 0 }).split('/')[0]!;
  const rows = [...Array(120).keys()].map((i) => `${day(i)},${last(i)},${PEOPLE[i % 4]},${PEOPLE[(i + 1) % 4]}`);
  const closed = 'The workshop is closed from 24 December 2026 to 2 January 2027 for the holidays. It has two doors.';
  let world: World;
  beforeAll(async () => {
    world = await openWorld('none');
    const rota = Buffer.from(`from,to,person,backup\n${rows.join('\n')}\n`);
    await world.ingest.uploaded({ name: 'duty rota.csv', bytes: rota }, { domain: 'work' });
    await world.ingest.text({ domain: 'work', text: `# Workshop\n\n${closed}`, format: 'markdown', name: 'work.md' });
  });
  afterAll(() => world.close());

  const first = async (context: string) => {
    const retrieval = new Retrieval({ ...world.parts, clock: () => NOW });
    return (await retrieval.query({ context, domains: ['work'], top_k: 2 })).items[0]!;
  };

  it.each([
    ['Who has duty on 18 November 2026?', '2026-11-16', '2026-11-18'],
    ['Who has duty on 22 November?', '2026-11-16', '2026-11-22'],
    ['Who has duty today?', '2026-11-16', '2026-11-18'],
    ['Who has duty next week?', '2026-11-23', '2026-11-23/2026-11-29'],
    ['Who had duty on 3 March 2027?', '2027-03-01', '2027-03-03'],
    ['Who has duty in the week of 7 December 2026?', '2026-12-07', '2026-12-07/2026-12-13'],
  ])('is found by a day between the two, which its explanation names: %s', async (question, begins, when) => {
    const { content, metadata } = await first(question);
    expect(content).toContain(`from: ${begins}`);
    expect(metadata.why).toMatchObject({ when });
  });

  it('stands behind what writes the day where its time is long', async () => {
    const prices = 'item,valid from,valid to,price\nKayak,2026-07-01,2026-12-31,21\nCanoe,2026-07-01,2026-12-31,32\n';
    const paid = 'date,payee,amount\n2026-11-05,Tax office,890\n2026-11-06,Baker,12\n2026-12-05,Baker,14\n';
    for (const [name, text] of Object.entries({ 'prices.csv': prices, 'bank.csv': paid }))
      await world.ingest.uploaded({ name, bytes: Buffer.from(text) }, { domain: 'inn' });
    const ask = async (context: string) =>
      (await world.retrieval.query({ context, domains: ['inn'], top_k: 3 })).items[0]!.content;
    expect(await ask('What did we pay on 5 November 2026?')).toContain('Tax office');
    expect(await ask('What did a kayak cost on 5 November 2026?')).toContain('Kayak');
  });

  it('is what a sentence may state, too', async () => {
    const { content, score, metadata } = await first('Is the workshop closed on 28 December 2026?');
    expect(content).toContain('The workshop is closed');
    expect(score).toBeGreaterThan(0.3);
    expect(metadata.why).toMatchObject({ when: '2026-12-28' });
    expect((await first('Is the workshop closed on 28 January 2027?')).metadata.why).not.toHaveProperty('when');
  });

  it('says what a time that counts from today is taken as', async () => {
    const { metadata } = await first('Who has duty tomorrow?');
    expect(metadata.why).toMatchObject({
      meant: { words: 'tomorrow', days: '2026-11-19', from: '2026-11-18', by: 'today' },
    });
  });
});

describe('a day that a document writes in a sentence', () => {
  const TEXTS = [
    'On 19 November 2026 the market hall is shut for repairs of the roof.',
    'The fair in the market hall is open each Sunday, and the market hall is shut at night.',
    'The class trip to Lindau begins on November 24th, 2026, at the station.',
    'The class trip to Bregenz begins on 24 March 2027 at the station.',
    'The board of Halden meets on 2 December 2026 in the blue room.',
    'The contract with Halden holds from 1 March 2025 to 28 February 2028.',
    'Halden is a company with a board of five. The board meets each quarter.',
  ];
  let world: World;
  beforeAll(async () => {
    world = await openWorld('none');
    for (const [i, text] of TEXTS.entries())
      await world.ingest.text({ domain: 'd', text: `# Note\n\n${text}`, format: 'markdown', name: `${i}.md` });
  });
  afterAll(() => world.close());

  it.each([
    ['2026-11-18', 'Is the market hall shut tomorrow?', 'roof', '2026-11-19'],
    ['2026-11-18', 'Where does the class trip of next week go?', 'Lindau', '2026-11-23/2026-11-29'],
    ['2026-11-18', 'Where does the class trip go in the week of 23 November?', 'Lindau', '2026-11-23/2026-11-29'],
    ['2026-11-18', 'Where does the class trip go between 20 and 28 November 2026?', 'Lindau', '2026-11-20/2026-11-28'],
    // A week of two months; what holds for years says less of it.
    ['2026-11-25', 'Where does the board of Halden meet next week?', 'blue room', '2026-11-30/2026-12-06'],
  ])('answers on %s: %s', async (day, context, words, when) => {
    const retrieval = new Retrieval({ ...world.parts, clock: () => Date.parse(day) });
    const [first] = (await retrieval.query({ context, domains: ['d'], top_k: 2 })).items;
    expect(first!.content).toContain(words);
    expect(first!.metadata.why).toMatchObject({ when });
  });
});
