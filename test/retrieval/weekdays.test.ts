import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openWorld, type World } from '../../bench/retrieval/world.js';
import { askedDays } from '../../src/retrieval/dates/asked-days.js';
import { dayOf, isoDays } from '../../src/retrieval/dates/dates.js';
import { dayCells, hasWeekdayCell } from '../../src/retrieval/dates/stated-ranges.js';
import { weekdayNames } from '../../src/retrieval/dates/weekdays.js';
import { Retrieval } from '../../src/retrieval/retrieval.js';

/** A Friday. */
const TODAY = '2026-11-20';
const today = dayOf(TODAY)!;

describe('a day of the week in a question', () => {
  const asked = (question: string, language = 'english') =>
    askedDays(question, { language, today })?.ranges.map(isoDays) ?? [];

  it.each([
    ['english', 'Who is on late next Wednesday?', ['2026-11-25']],
    ['english', 'who closed last friday', ['2026-11-13']],
    ['english', 'Who was in on Saturday?', ['2026-11-14']],
    ['english', 'early on monday?', ['2026-11-23', '2026-11-16']],
    ['english', 'Who is in on Friday?', ['2026-11-20', '2026-11-27']],
    ['english', 'Who is in every Monday?', []],
    ['english', 'Who is in on Mondays?', []],
    ['english', 'When is the Black Friday sale?', []],
    ['english', 'What is due on Monday 30 November 2026?', ['2026-11-30']],
    ['english', 'What time is she coming this afternoon?', ['2026-11-20']],
    ['english', 'what did we buy on 4.11.', ['2026-11-04', '2027-11-04']],
    ['english', 'early 3.12.', ['2025-12-03', '2026-12-03']],
    ['english', 'what is new in 3.12.', []],
    ['english', 'upgrade to 3.12.', []],
    ['english', 'electricity september', ['2026-09-01/2026-09-30', '2027-09-01/2027-09-30']],
    ['english', 'may I go', []],
    ['german', 'Wer hat nächsten Mittwoch Dienst?', ['2026-11-25']],
    ['german', 'Wer war am Dienstag da?', ['2026-11-17']],
    ['german', 'Wer hatte letzten Sonnabend Dienst?', ['2026-11-14']],
    ['german', 'Wer kommt jeden Montag?', []],
    ['german', 'mittwoch 25.11.', ['2025-11-25', '2026-11-25']],
    ['german', 'Was ist neu in 3.12.?', []],
    ['french', 'Qui est là mercredi prochain ?', ['2026-11-25']],
    ['spanish', '¿Quién vino el viernes pasado?', ['2026-11-13']],
    ['italian', 'Chi lavora lunedì prossimo?', ['2026-11-23']],
    ['portuguese', 'Quem vem na próxima quarta-feira?', ['2026-11-25']],
    ['portuguese', 'Qual é a segunda maior sala?', []],
    ['italian', 'Chi lavora venerdi scorso?', ['2026-11-13']],
    ['dutch', 'Wie werkte vorige dinsdag?', ['2026-11-17']],
  ])('counts from today: %s, %s', (language, question, days) => expect(asked(question, language)).toEqual(days));

  it.each([
    ['english', 'Which bills are due before 5 December 2026?'],
    ['english', 'What was paid since the 5th of November?'],
    ['english', 'What came after last Friday?'],
    ['german', 'Was ist bis zum 5.12.2026 fällig?'],
    ['german', 'Was wurde vor dem 5. Dezember 2026 bezahlt?'],
    ['french', 'Que faut-il payer avant le 5 décembre 2026 ?'],
  ])('may be the end of a time, or its beginning: %s, %s', (language, question) => {
    expect(askedDays(question, { language, today })).toMatchObject({ isLimit: true });
  });

  it('is neither where it stands for itself', () => {
    for (const question of ['What is due on 5 December 2026?', 'Which bill is from 5 December 2026?'])
      expect(askedDays(question, { language: 'english', today })).not.toHaveProperty('isLimit');
  });

  it('is none where today is not known', () => {
    expect(askedDays('Who is in on Monday?', { language: 'english' })).toBeUndefined();
  });
});

describe('a cell', () => {
  it.each([
    ['date: 2026-11-05; early: Sam.', 'english', true],
    ['- day: 5 Nov 2026; time: 09:00.', 'english', true],
    ['datum: 05.11.2026; betrag: 62,40.', 'german', true],
    ['We met on 5 November 2026: it rained.', 'english', false],
    ['year: 2026; month: 2026-11.', 'english', false],
  ])('is a day: %s', (text, language, is) => expect(dayCells(text, language).length > 0).toBe(is));

  it('is a day of the week by one of its names', () => {
    const [monday, tuesday] = weekdayNames('english');
    expect(hasWeekdayCell('weekday: Tue; start: 08:50.', tuesday!)).toBe(true);
    expect(hasWeekdayCell('day: TUESDAY; start: 08:50.', tuesday!)).toBe(true);
    expect(hasWeekdayCell('day: Tuesday; start: 08:50.', monday!)).toBe(false);
    expect(hasWeekdayCell('note: on Tuesday it rains.', tuesday!)).toBe(false);
    expect(hasWeekdayCell('tag: Di; von: 08:50.', weekdayNames('german')[1]!)).toBe(true);
  });
});

describe('rows of many days', () => {
  const PEOPLE = ['Sam', 'Orla', 'Bea', 'Lowri', 'Hester'];
  const dayAt = (i: number): string => isoDays({ from: dayOf('2026-10-19')! + i, to: dayOf('2026-10-19')! + i });
  const rota = [...Array(60).keys()].map((i) => `${dayAt(i)},${PEOPLE[i % 5]},${PEOPLE[(i + 2) % 5]}`);
  const leave = ['Dev,2 November 2026,6 November 2026', 'Orla,23 November 2026,27 November 2026'];
  const plan = ['Montag,17:00,Judo', 'Mittwoch,17:00,Turnen', 'Mittwoch,19:30,Badminton', 'Donnerstag,17:00,Aikido'];
  const handbook =
    '# Handbook\n\n## Keys\n\nWhoever is late locks the skylight.\n\n## November\n\nThe open evening is on 26 November 2026.';
  let world: World;
  beforeAll(async () => {
    world = await openWorld('none');
    const files = {
      'rota.csv': `date,early,late\n${rota.join('\n')}\n`,
      'leave.csv': `person,from,to\n${leave.join('\n')}\n`,
      'hallenplan.csv': `wochentag,von,gruppe\n${plan.join('\n')}\n`,
    };
    for (const [name, text] of Object.entries(files))
      await world.ingest.uploaded({ name, bytes: Buffer.from(text) }, { domain: 'd' });
    await world.ingest.text({ domain: 'd', text: handbook, format: 'markdown', name: 'handbook.md' });
  });
  afterAll(() => world.close());

  const ask = async (context: string) => {
    const retrieval = new Retrieval({ ...world.parts, clock: () => Date.parse(`${TODAY}T09:00:00Z`) });
    return (await retrieval.query({ context, domains: ['d'], top_k: 5 })).items;
  };

  it.each([
    ["who's on late on 5 november", 'date: 2026-11-05'],
    ['Who is late next Wednesday?', 'date: 2026-11-25'],
    ['Who was early last Friday?', 'date: 2026-11-13'],
    ['Who is late tonight?', 'date: 2026-11-20'],
    ['early 3.12.', 'date: 2026-12-03'],
    // The time that covers the day says less than the day itself, and is there for who asks for it.
    ['who is on leave on 25 November', 'person: Orla'],
    ['Welche Gruppe ist am 3. Dezember 2026 um 17:00 dran?', 'gruppe: Aikido'],
  ])('are told apart by the day: %s', async (question, words) => {
    expect((await ask(question))[0]!.content).toContain(words);
  });

  it('score low where none is of the day', async () => {
    const [covered] = await ask('Who is late on 5 November 2026?');
    const [absent] = await ask('Who is late on 5 March 2026?');
    expect(absent!.score).toBeLessThan(0.2);
    expect(covered!.score).toBeGreaterThan(2 * absent!.score);
  });

  it('do not stand behind for a day that ends a time, nor for a time of months that holds theirs', async () => {
    const scores = async (question: string) => (await ask(question)).map(({ score }) => score);
    const [before] = await scores('Who was early before 5 March 2026?');
    const [on] = await scores('Who was early on 5 March 2026?');
    expect(before!).toBeGreaterThan(on!);
    const within = await ask('Who was early from 1 October to 31 December 2026?');
    expect(within.every(({ content }) => content.includes('early: '))).toBe(true);
    expect(within[0]!.metadata.why).toMatchObject({ when: '2026-10-01/2026-12-31' });
  });

  it('are of a day that comes round each year, where the question leaves out the year', async () => {
    const born = 'name,born\nAnna Berg,1985-11-05\nTom Hale,1990-03-09\nIda Voss,1979-12-24\n';
    await world.ingest.uploaded({ name: 'birthdays.csv', bytes: Buffer.from(born) }, { domain: 'born' });
    const retrieval = new Retrieval({ ...world.parts, clock: () => Date.parse(`${TODAY}T09:00:00Z`) });
    const first = async (context: string) =>
      (await retrieval.query({ context, domains: ['born'], top_k: 3 })).items[0]!.content;
    expect(await first('Who was born on 5 November?')).toContain('Anna Berg');
    expect(await first('Whose birthday is on 9 March?')).toContain('Tom Hale');
    expect(await first('Who was born in December?')).toContain('Ida Voss');
  });

  it('say so in their explanation', async () => {
    const [first] = await ask('Who was early last Friday?');
    expect(first!.metadata.why).toMatchObject({
      when: '2026-11-13',
      meant: { words: 'last Friday', days: '2026-11-13', from: TODAY, by: 'today' },
    });
  });

  it('are found by a few words in a language that these do not tell', async () => {
    expect((await ask('late gestern'))[0]!.content).toContain('date: 2026-11-19');
  });
});
