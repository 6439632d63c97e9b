import { MONTHS } from '../../core/wording/months.js';
import { PLACES, WEEKDAYS } from '../../core/wording/recurrence-words.js';
import { DAY, utcDay, WEEK, weekdayOf } from './calendar.js';

/** Characters of a row that are read. */
const READ = 4000;
const REPEATS = /(?:^|\n|; )repeats: ([^;\n]{1,300})(?=;|\n|$)/u;
/** How often something comes again, and on what. */
const OFTEN = /^(?:every (?:(\w+) )?(day|week|month|year)|(monthly|yearly))(?: on (.*))?$/u;
const ORDINAL_DAY = /^the (\d{1,2})(?:st|nd|rd|th)$/u;
const PLACED = /^the (\w+(?: to last)?) (working day|day|\w+day(?:(?:, | or )\w+day)*)(?: of (\w+))?$/u;
/** How long something lasts that is of several days: "3 days", "18:00 to 14:00 2 days later", "22:00 to 06:00 the next day". */
const LASTS =
  /(?:^|\n|; )time: (?:(\d{1,3}) days|[^;\n]{1,150}? to (\d\d):\d\d[^;\n]{0,120}? (?:the next day|(\d{1,3}) days later))(?=[.;\n]|$)/u;
const NOON = 12;
/** What lasts longer is on any day, and singles none out. */
const MOST_DAYS = 31;
const DAY_OF_YEAR = /^(\d{1,2}) (\w+)$/u;
/** The months in which alone it comes again. */
const IN_MONTHS = / in ((?:[A-Z][a-z]+(?:, | and )?)+)$/u;
const MONTH_NAMES = MONTHS.english;
/** Monday to Friday. */
const WORKING_DAYS = [0, 1, 2, 3, 4];

type FallsOn = (day: number) => boolean;

/** On which days something is that comes again, by their numbers. */
export interface Recurrence {
  readonly falls: FallsOn;
  /** Whether it began on an earlier day and goes on. */
  readonly lasts: FallsOn;
  /** Days that it lasts, 1 for what is of one day. */
  readonly length: number;
  /** Whether it is said of a day that it is not. */
  readonly excludes: FallsOn;
}

/**
 * Returns on which days a row is that says how it comes again, as a calendar is read: "repeats: every second Tuesday; from: 2026-01-06; until: 2026-12-22; not on: 2026-12-01".
 * Undefined for a row that does not, and for a rule that is none of days. Pure.
 */
export function recurrenceIn(written: string): Recurrence | undefined {
  const text = written.slice(0, READ);
  const rule = REPEATS.exec(text)?.[1]
    ?.replace(/\.$/u, '')
    .replace(/, \d+ times$/u, '');
  const [from] = daysIn(text, 'from');
  if (rule === undefined || from === undefined) return undefined;
  const falls = fallsInMonths(rule, from);
  if (falls === undefined) return undefined;
  const [until = Number.POSITIVE_INFINITY] = daysIn(text, 'until');
  const [also, not] = ['also on', 'not on'].map((label) => new Set(daysIn(text, label)));
  const length = lengthIn(text);
  // Days of a time that lasts overlap: each is worked out once.
  const begins = remembered((day) => also!.has(day) || (day >= from && day <= until && !not!.has(day) && falls(day)));
  const before = (day: number): number[] => Array.from({ length: length - 1 }, (_, i) => day - i - 1);
  return {
    falls: begins,
    lasts: (day) => before(day).some(begins),
    length,
    excludes: (day) => not!.has(day) || before(day).some((one) => not!.has(one)),
  };
}

function remembered(falls: FallsOn): FallsOn {
  const known = new Map<number, boolean>();
  return (day) => {
    const found = known.get(day) ?? falls(day);
    known.set(day, found);
    return found;
  };
}

/** Returns how many days something lasts; the morning after is no day of a night. */
function lengthIn(text: string): number {
  const [, whole, hour, later] = LASTS.exec(text) ?? [];
  if (whole === undefined && hour === undefined) return 1;
  const days = Number(whole ?? (later === undefined ? (Number(hour) < NOON ? 1 : 2) : Number(later) + 1));
  return days >= 1 && days <= MOST_DAYS ? days : 1;
}

/** Returns the days of a cell. */
function daysIn(text: string, label: string): number[] {
  const cell = new RegExp(`(?:^|\\n|; )${label}: ([^;\\n]*)`, 'u').exec(text)?.[1] ?? '';
  return [...cell.matchAll(/(?<!\d)\d{4}-\d\d-\d\d(?!\d)/gu)]
    .map(([iso]) => Date.parse(iso) / DAY)
    .filter(Number.isInteger);
}

/** Reads a rule that may end in the months in which alone it holds: "every Tuesday in May and June". */
function fallsInMonths(rule: string, from: number): FallsOn | undefined {
  const names = IN_MONTHS.exec(rule)?.[1]?.split(/, | and /u) ?? [];
  const falls = fallsOn(rule.replace(IN_MONTHS, ''), from);
  if (falls === undefined || names.length === 0) return falls;
  const months = names.map((name) => MONTH_NAMES.indexOf(name.toLowerCase()));
  if (months.includes(-1)) return undefined;
  return (day) => months.includes(new Date(day * DAY).getUTCMonth()) && falls(day);
}

function fallsOn(rule: string, from: number): FallsOn | undefined {
  const weekly = weekdaysOf(rule);
  if (weekly !== undefined) return everyWeeks(weekly.days, weekly.interval, from);
  const [, nth, unit, single, on] = OFTEN.exec(rule) ?? [];
  const interval = nth === undefined ? 1 : numberOf(nth);
  if (interval === undefined || (unit === undefined && single === undefined)) return undefined;
  if (unit === 'day') return on === undefined ? (day) => (day - from) % interval === 0 : undefined;
  if (unit === 'week') {
    const days = weekdaysIn(on ?? '');
    return days.length === 0 ? undefined : everyWeeks(days, interval, from);
  }
  const isYearly = unit === 'year' || single === 'yearly';
  const patterns = (on ?? '').split(/(?:, | and )(?=the |every |\d)/u).map((one) => dayPattern(one, isYearly));
  if (patterns.includes(undefined)) return undefined;
  const start = new Date(from * DAY);
  const periods = (date: Date): number => {
    const years = date.getUTCFullYear() - start.getUTCFullYear();
    return isYearly ? years : 12 * years + date.getUTCMonth() - start.getUTCMonth();
  };
  return (day) => {
    const date = new Date(day * DAY);
    return periods(date) % interval === 0 && patterns.some((matches) => matches?.(date) === true);
  };
}

/** Reads "every Tuesday", "every second Tuesday" and "every Monday and Friday". */
function weekdaysOf(rule: string): { readonly days: readonly number[]; readonly interval: number } | undefined {
  const [, nth, on] = /^every (?:(\w+) )?(\w+day(?:(?:, | and )\w+day)*)$/u.exec(rule) ?? [];
  const days = on === undefined ? [] : weekdaysIn(on);
  const interval = nth === undefined ? 1 : numberOf(nth);
  return days.length === 0 || interval === undefined ? undefined : { days, interval };
}

/** Returns the days of the week that a list names; none where it names something else. */
function weekdaysIn(words: string): number[] {
  const days = words.split(/, | and /u).map((word) => WEEKDAYS.indexOf(word));
  return days.includes(-1) ? [] : days;
}

/** The week of a calendar may begin on a Sunday: "every second week on Sunday and Tuesday" names that first. */
function everyWeeks(days: readonly number[], interval: number, from: number): FallsOn {
  const isFromMonday = days.every((day, i) => i === 0 || day > days[i - 1]!);
  const first = isFromMonday ? 0 : days[0]!;
  const start = from - ((weekdayOf(from) - first + WEEK) % WEEK);
  return (day) => days.includes(weekdayOf(day)) && Math.floor((day - start) / WEEK) % interval === 0;
}

/** Reads "second" and "10th". */
function numberOf(word: string): number | undefined {
  const place = PLACES.indexOf(word) + 1;
  const number = place > 0 ? place : Number.parseInt(word, 10);
  return number > 0 ? number : undefined;
}

/** Reads one day of a month or a year: "the 1st", "the last Friday", "the first Sunday of May", "5 November". */
function dayPattern(words: string, isYearly: boolean): ((date: Date) => boolean) | undefined {
  const ofYear = isYearly ? DAY_OF_YEAR.exec(words) : null;
  if (ofYear !== null) {
    const month = MONTH_NAMES.indexOf(ofYear[2]!.toLowerCase());
    return (date) => date.getUTCMonth() === month && date.getUTCDate() === Number(ofYear[1]);
  }
  const number = ORDINAL_DAY.exec(words)?.[1];
  if (number !== undefined) return (date) => date.getUTCDate() === Number(number);
  const every = isYearly ? -1 : WEEKDAYS.indexOf(/^every (\w+)$/u.exec(words)?.[1] ?? '');
  if (every !== -1) return (date) => weekdayOf(date.getTime() / DAY) === every;
  const [, place, name, month] = PLACED.exec(words) ?? [];
  if (place === undefined) return undefined;
  const weekdays = placedDays(name!);
  const ofMonth = month === undefined ? undefined : MONTH_NAMES.indexOf(month.toLowerCase());
  if (isYearly !== (ofMonth !== undefined) || weekdays.length === 0) return undefined;
  return (date) =>
    (ofMonth === undefined || date.getUTCMonth() === ofMonth) && hasPlace(date.getTime() / DAY, place, weekdays);
}

/** Returns the days of the week among which one has a place: "Friday", "Saturday or Sunday", "working day", "day". */
function placedDays(name: string): number[] {
  if (name === 'day') return WEEKDAYS.map((_, i) => i);
  if (name === 'working day') return WORKING_DAYS;
  const days = name.split(/, | or /u).map((one) => WEEKDAYS.indexOf(one));
  return days.includes(-1) ? [] : days;
}

/** Returns whether a day is at a place among those of its month that are one of some days of the week. */
function hasPlace(day: number, place: string, weekdays: readonly number[]): boolean {
  if (!weekdays.includes(weekdayOf(day))) return false;
  const date = new Date(day * DAY);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  const isFromEnd = place === 'last' || place.endsWith(' to last');
  const [first, last] = isFromEnd ? [day, utcDay(year, month + 1, 0)] : [utcDay(year, month, 1), day];
  const count = weekdays.reduce((sum, weekday) => sum + timesBetween(weekday, first, last), 0);
  return count === (place === 'last' ? 1 : numberOf(place.split(' ')[0]!));
}

/** Returns how often a day of the week comes from one day to another, both counted. */
function timesBetween(weekday: number, first: number, last: number): number {
  const ahead = (weekday - weekdayOf(first) + WEEK) % WEEK;
  return Math.max(0, Math.floor((last - first - ahead) / WEEK) + 1);
}
