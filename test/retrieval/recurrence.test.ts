import { describe, expect, it } from '@jest/globals';
import { askedDays } from '../../src/retrieval/dates/asked-days.js';
import { dayOf, isoDays } from '../../src/retrieval/dates/dates.js';
import { recurrenceIn } from '../../src/retrieval/dates/recurrence.js';
import { processorTime } from '../support/processor-time.js';

const falls = (row: string, day: string) => recurrenceIn(row)?.falls(dayOf(day)!);

describe('a row that comes again', () => {
  it.each([
    ['every Tuesday', ['2026-01-06', '2026-12-15'], ['2026-01-07', '2025-12-30']],
    ['every second Monday', ['2026-01-19', '2026-12-21'], ['2026-01-12', '2026-12-14']],
    ['every Monday, Wednesday and Friday', ['2026-01-07', '2026-01-09'], ['2026-01-08']],
    ['every second week on Monday and Wednesday', ['2026-01-07', '2026-01-19'], ['2026-01-12', '2026-01-20']],
    ['every day', ['2026-01-07'], ['2026-01-04']],
    ['every third day', ['2026-01-08'], ['2026-01-07']],
    ['every Tuesday in May and June', ['2026-05-05', '2027-06-29'], ['2026-04-28', '2026-05-06']],
    [
      'every second week on Sunday and Tuesday',
      ['2026-01-06', '2026-01-18', '2026-01-20'],
      ['2026-01-11', '2026-01-13'],
    ],
    ['monthly on the 1st', ['2026-12-01'], ['2026-12-02']],
    ['monthly on the 1st and the 15th', ['2026-12-01', '2026-12-15'], ['2026-12-02']],
    ['monthly on the last day', ['2026-02-28'], ['2026-02-27']],
    ['monthly on the first Thursday', ['2026-12-03', '2027-01-07'], ['2026-12-10']],
    ['monthly on every Sunday', ['2026-02-01', '2026-02-08'], ['2026-02-02']],
    ['monthly on the second to last Friday', ['2026-11-20'], ['2026-11-27']],
    ['monthly on the last Friday', ['2026-11-27'], ['2026-11-20']],
    ['every third month on the 22nd', ['2026-04-22'], ['2026-05-22']],
    [
      'monthly on the last working day',
      ['2026-01-30', '2026-05-29', '2026-06-30'],
      ['2026-01-31', '2026-05-31', '2026-06-29'],
    ],
    ['monthly on the second to last working day', ['2026-01-29'], ['2026-01-30', '2026-01-31']],
    ['monthly on the first working day', ['2026-08-03', '2026-09-01'], ['2026-08-01', '2026-09-02']],
    ['monthly on the last Saturday or Sunday', ['2026-01-31', '2026-05-31'], ['2026-05-30', '2026-01-25']],
    ['yearly on the first working day of May', ['2026-05-01', '2027-05-03'], ['2026-05-04', '2026-06-01']],
    ['yearly on 5 November', ['2026-11-05', '2030-11-05'], ['2026-11-06']],
    ['yearly on the second Sunday of May', ['2026-05-10'], ['2026-05-17', '2026-06-14']],
    ['every Tuesday, 3 times', ['2026-01-13'], ['2026-01-14']],
  ])('is on the days of its rule: %s', (rule, on, off) => {
    const row = `X\nfrom: 2026-01-05; time: 10:00; repeats: ${rule}.`;
    expect(on.map((day) => falls(row, day))).toEqual(on.map(() => true));
    expect(off.map((day) => falls(row, day))).toEqual(off.map(() => false));
  });

  it('ends, and has exceptions and further days', () => {
    const row =
      'from: 2026-01-06; repeats: every Tuesday; until: 2026-06-30; also on: 2026-07-08; not on: 2026-02-03, 2026-02-10; location: Hall.';
    expect(['2026-06-30', '2026-07-07', '2026-07-08', '2026-02-03'].map((day) => falls(row, day))).toEqual([
      true,
      false,
      true,
      false,
    ]);
    expect(recurrenceIn(row)!.excludes(dayOf('2026-02-10')!)).toBe(true);
  });

  it.each([
    ['3 days', ['2026-01-10', '2026-01-11', '2026-01-18'], ['2026-01-08', '2026-01-12']],
    ['18:00 to 14:00 2 days later', ['2026-01-10', '2026-01-11'], ['2026-01-12']],
    ['18:00 (Europe/Oslo) to 14:00 (Europe/Oslo) the next day', ['2026-01-10'], ['2026-01-11']],
    ['22:00 to 06:00 the next day', [], ['2026-01-10']],
    ['10:00 to 12:00', [], ['2026-01-10']],
    ['400 days', [], ['2026-01-10']],
    ['0 days', [], ['2026-01-10']],
  ])('of several days lasts until its last day: %s', (time, on, off) => {
    const rule = recurrenceIn(`Camp\nfrom: 2026-01-09; time: ${time}; repeats: every Friday; not on: 2026-01-23.`)!;
    expect(rule.falls(dayOf('2026-01-09')!)).toBe(true);
    for (const day of on) expect([day, rule.falls(dayOf(day)!), rule.lasts(dayOf(day)!)]).toEqual([day, false, true]);
    for (const day of off) expect([day, rule.lasts(dayOf(day)!)]).toEqual([day, false]);
    if (on.length > 1)
      expect([rule.lasts(dayOf('2026-01-24')!), rule.excludes(dayOf('2026-01-24')!)]).toEqual([false, true]);
  });

  it.each([
    'date: 2026-01-06; time: 10:00.',
    'from: 2026-01-06; repeats: often.',
    'from: 2026-01-06; repeats: monthly on the last Monday or full moon.',
    'repeats: every Tuesday.',
    'from: 2026-01-06; repeats: every hour.',
    'from: 2026-01-06; repeats: every second day on certain days.',
    'from: 2026-01-06; repeats: every week on certain days.',
    'from: 2026-01-06; repeats: every 0 weeks on Monday.',
    'from: 2026-01-06; repeats: every 0th Monday.',
    'from: 99999-01-06; repeats: every day.',
    `from: 2026-01-06; repeats: monthly on the 1st${' and the 2nd'.repeat(100)}.`,
  ])('is none without a rule of days: %s', (row) => expect(recurrenceIn(row)).toBeUndefined());

  it('of many places that lasts a month is worked out once a day', async () => {
    const on = Array.from({ length: 16 }, () => 'the 31st day').join(' and ');
    const days = Array.from({ length: 30 }, (_, i) => dayOf('2026-05-02')! + i);
    const spent = await processorTime(() => {
      for (let i = 0; i < 300; i += 1) {
        const { lasts } = recurrenceIn(`Camp\nfrom: 2026-01-09; time: 31 days; repeats: monthly on ${on}.`)!;
        expect(days.filter(lasts)).toEqual([]);
      }
    });
    expect(spent).toBeLessThan(8000);
  }, 60_000);

  it('is read in linear time', () => {
    expect(recurrenceIn(`from: 2026-01-06; repeats: ${'every '.repeat(200_000)}`)).toBeUndefined();
  });
});

describe('a day whose numbers may each be the month', () => {
  const asked = (question: string) => askedDays(question, { language: 'english' });

  it('is asked for in both orders, the usual one of the language first', () => {
    const days = asked('Who joined on 01/07/2026?');
    expect(days).toMatchObject({ isSure: false });
    expect(days?.ranges.map(isoDays)).toEqual(['2026-01-07', '2026-07-01']);
  });

  it.each(['25/11/2026', '07/07/2026'])('is one day where they tell it: %s', (day) => {
    expect(asked(`Who joined on ${day}?`)?.ranges).toHaveLength(1);
  });
});
