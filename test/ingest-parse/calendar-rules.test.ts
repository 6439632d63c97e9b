import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parse } from '../../src/ingest/parse/parse.js';
import { dayOf, isoDays } from '../../src/retrieval/dates/dates.js';
import { recurrenceIn } from '../../src/retrieval/dates/recurrence.js';

interface Rule {
  readonly freq: string;
  readonly interval: number;
  readonly byday: readonly string[];
  readonly bymonthday: readonly number[];
  readonly bymonth: readonly number[];
  readonly bysetpos: readonly number[];
  readonly wkst?: string | undefined;
  readonly count?: number | undefined;
}

const DAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];
/** Days on which words and rule are compared. */
const COMPARED = 800;

const dateOf = (day: number): Date => new Date(day * 86_400_000);
const weekdayOf = (day: number): number => (day + 3) % 7;
const daysBetween = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, i) => from + i);
const dayFrom = (year: number, month: number): number => Date.UTC(year, month) / 86_400_000;

/** Returns the days of a rule by the standard (RFC 5545, section 3.3.10), among the first ones from `start` on. */
function expanded(start: number, rule: Rule): number[] {
  const { freq, interval, byday, bymonthday, bymonth, bysetpos, wkst = 'MO', count = Infinity } = rule;
  const first = dateOf(start);
  const weekStart = DAYS.indexOf(wkst);
  const periodOf = (day: number): number => {
    const [year, month] = [dateOf(day).getUTCFullYear(), dateOf(day).getUTCMonth()];
    if (freq === 'YEARLY') return year;
    if (freq === 'MONTHLY') return 12 * year + month;
    return freq === 'WEEKLY' ? Math.floor((day + 3 - weekStart) / 7) : day;
  };
  const matches = (day: number): boolean => {
    const date = dateOf(day);
    const [year, month, number] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
    const isPlain = byday.length + bymonthday.length === 0;
    if (bymonth.length > 0 && !bymonth.includes(month + 1)) return false;
    if (freq === 'YEARLY' && bymonth.length === 0 && isPlain && month !== first.getUTCMonth()) return false;
    if (/^(?:YEARLY|MONTHLY)$/u.test(freq) && isPlain && number !== first.getUTCDate()) return false;
    if (freq === 'WEEKLY' && byday.length === 0 && weekdayOf(day) !== weekdayOf(start)) return false;
    const size = dayFrom(year, month + 1) - dayFrom(year, month);
    if (bymonthday.length > 0 && !bymonthday.some((one) => number === (one > 0 ? one : size + 1 + one))) return false;
    const ofYear = freq === 'YEARLY' && bymonth.length === 0;
    const [from, to] = ofYear
      ? [dayFrom(year, 0), dayFrom(year + 1, 0)]
      : [dayFrom(year, month), dayFrom(year, month + 1)];
    const places = [Math.floor((day - from) / 7) + 1, -Math.floor((to - 1 - day) / 7) - 1, 0];
    return (
      byday.length === 0 ||
      byday.some((code) => DAYS[weekdayOf(day)] === code.slice(-2) && places.includes(Number(code.slice(0, -2))))
    );
  };
  const sets = new Map<number, number[]>();
  for (const day of daysBetween(start - 400, start + COMPARED + 400)) {
    const period = periodOf(day);
    if ((period - periodOf(start)) % interval !== 0 || !matches(day)) continue;
    sets.set(period, [...(sets.get(period) ?? []), day]);
  }
  const chosen = [...sets.values()].flatMap((set) =>
    bysetpos.length === 0 ? set : set.filter((_, i) => bysetpos.some((at) => at === i + 1 || at === i - set.length)),
  );
  return chosen.filter((day) => day >= start).slice(0, count);
}

/** Returns the row that a calendar of one event is read into. */
async function rowOf(start: string, rule: string): Promise<string> {
  const written = `BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:X\nDTSTART;VALUE=DATE:${start.replaceAll('-', '')}\nRRULE:${rule}\nEND:VEVENT\nEND:VCALENDAR\n`;
  const { parts } = await parse({ type: 'calendar', name: 'a.ics', bytes: Buffer.from(written) });
  return parts.at(-1)!.text;
}

const isoOf = (day: number): string => isoDays({ from: day, to: day });

/** Returns the days that the row tells; undefined where it tells none. */
async function told(start: number, rule: string): Promise<number[] | undefined> {
  const recurrence = recurrenceIn(await rowOf(isoOf(start), rule));
  return recurrence && daysBetween(start, start + COMPARED).filter(recurrence.falls);
}

const subset = <T>(values: readonly T[], maxLength = 3) => fc.uniqueArray(fc.constantFrom(...values), { maxLength });
const rules = fc.record<Rule>({
  freq: fc.constantFrom('DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'),
  interval: fc.constantFrom(1, 1, 2, 3),
  byday: fc.oneof(
    { weight: 4, arbitrary: subset([...DAYS, '1MO', '-1FR', '5TU', '2SU']) },
    fc.constantFrom(DAYS.slice(0, 5), DAYS),
  ),
  bymonthday: fc.oneof(fc.constant([]), subset([1, 13, 29, 31, -1, -2], 2)),
  bymonth: subset([1, 2, 6, 11], 2),
  bysetpos: fc.oneof(fc.constant([]), subset([1, -1], 2)),
  wkst: fc.constantFrom(undefined, 'MO', 'SU'),
  count: fc.constantFrom(undefined, undefined, 2, 7),
});

const written = (rule: Rule): string =>
  Object.entries(rule)
    .filter(([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0))
    .map(([name, value]) => `${name.toUpperCase()}=${String(value)}`)
    .join(';');

describe('a rule of a calendar', () => {
  it('is said in words that mean the days on which it falls', async () => {
    let compared = 0;
    await fc.assert(
      fc.asyncProperty(rules, fc.integer({ min: 0, max: 400 }), async (rule, offset) => {
        // The standard gives these no meaning.
        fc.pre(rule.freq !== 'WEEKLY' || rule.bymonthday.length === 0);
        fc.pre(!/^(?:DAILY|WEEKLY)$/u.test(rule.freq) || rule.byday.every((day) => day.length === 2));
        fc.pre(rule.bysetpos.length === 0 || rule.byday.length + rule.bymonthday.length > 0);
        // Of these the last day is not told.
        const isTold = rule.freq === 'YEARLY' ? rule.bymonthday.every((day) => day < 29) : rule.bymonth.length === 0;
        fc.pre(rule.count === undefined || isTold);
        // An event begins on a day of its rule.
        const [start] = expanded(dayOf('2026-01-01')! + offset, { ...rule, count: undefined });
        fc.pre(start !== undefined);
        // Nor of months alone of which one may lack the day.
        const isAlone = rule.freq === 'YEARLY' && rule.byday.length + rule.bymonthday.length === 0;
        const number = Number(isoOf(start!).slice(8));
        const isLacking = rule.bymonth.some((month) => new Date(Date.UTC(2026, month, 0)).getUTCDate() < number);
        fc.pre(rule.count === undefined || !(isAlone && isLacking));
        const days = await told(start!, written(rule));
        if (days === undefined) return;
        compared += 1;
        const wanted = expanded(start!, rule).filter((day) => day < start! + COMPARED);
        expect({ rule: written(rule), days: days.map(isoOf) }).toEqual({
          rule: written(rule),
          days: wanted.map(isoOf),
        });
      }),
      { numRuns: 500 },
    );
    expect(compared).toBeGreaterThan(40);
  });

  it('of months alone has no last day that is counted where a month may lack its day', async () => {
    const last = (row: string) => /until: ([\d-]+)/u.exec(row)?.[1];
    expect(last(await rowOf('2026-01-31', 'FREQ=YEARLY;BYMONTH=1,11;COUNT=2'))).toBeUndefined();
    expect(last(await rowOf('2026-01-28', 'FREQ=YEARLY;BYMONTH=1,11;COUNT=2'))).toBe('2026-11-28');
    expect(last(await rowOf('2026-11-29', 'FREQ=YEARLY;BYMONTH=1;COUNT=2'))).toBe('2028-01-29');
    expect(last(await rowOf('2027-01-31', 'FREQ=YEARLY;BYMONTH=1;COUNT=2'))).toBe('2028-01-31');
  });
});
