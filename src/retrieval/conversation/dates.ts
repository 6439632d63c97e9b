/** A time that a question speaks of: days since 1970-01-01 UTC, both ends included. */
export interface DateRange {
  readonly from: number;
  readonly to: number;
  readonly precision: 'day' | 'span' | 'month' | 'year';
}

const DAY = 86_400_000;
const MONTHS = 'january february march april may june july august september october november december'.split(' ');
const MONTH = `(${MONTHS.map((name) => `${name.slice(0, 3)}(?:${name.slice(3)})?`).join('|')})\\.?`;
const DAY_FIRST = new RegExp(`\\b(\\d{1,2})(?:st|nd|rd|th)?\\s+(?:of\\s+)?${MONTH}(?:,?\\s+(\\d{4}))?`, 'iu');
const MONTH_FIRST = new RegExp(`\\b${MONTH}\\s+(\\d{1,2})(?:st|nd|rd|th)?\\b(?:,?\\s+(\\d{4}))?`, 'iu');
const MONTH_ALONE = new RegExp(`\\b${MONTH}(?:\\s+(?:of\\s+)?(\\d{4}))?\\b`, 'u');
const ISO = /\b(\d{4})-?(0[1-9]|1[0-2])-?(0[1-9]|[12]\d|3[01])\b/u;
const YEAR = /\b(?:19|20)\d{2}\b/u;
const NUMBERS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
const AGO = new RegExp(`\\b(\\d{1,2}|a|an|${NUMBERS.join('|')}) (day|week|month)s? ago\\b`, 'iu');

/** Returns the day number of an ISO 8601 time, in UTC; undefined where it is none. */
export function dayOf(timestamp: string | undefined): number | undefined {
  const time = timestamp === undefined ? Number.NaN : Date.parse(timestamp);
  return Number.isNaN(time) ? undefined : Math.floor(time / DAY);
}

/**
 * Returns the time that a question speaks of; undefined where it holds none. `today`: day number that "yesterday" and "last
 * week" count from, and whose year a date without one takes.
 */
export function dateIn(question: string, today: number | undefined): DateRange | undefined {
  return relative(question, today) ?? absolute(question, today);
}

function absolute(question: string, today: number | undefined): DateRange | undefined {
  const thisYear = today === undefined ? undefined : new Date(today * DAY).getUTCFullYear();
  const iso = ISO.exec(question);
  if (iso !== null) return oneDay(Number(iso[1]), Number(iso[2]) - 1, Number(iso[3]));
  const dayFirst = DAY_FIRST.exec(question);
  if (dayFirst !== null) return dated(dayFirst[3], thisYear, monthOf(dayFirst[2]!), Number(dayFirst[1]), today);
  const monthFirst = MONTH_FIRST.exec(question);
  if (monthFirst !== null) return dated(monthFirst[3], thisYear, monthOf(monthFirst[1]!), Number(monthFirst[2]), today);
  const month = capitalised(MONTH_ALONE, question);
  if (month !== null) {
    const index = monthOf(month[1]!);
    const year = month[2] === undefined ? lastYearWith(index, today) : Number(month[2]);
    if (year === undefined) return undefined;
    return { from: utcDay(year, index, 1), to: utcDay(year, index + 1, 0), precision: 'month' };
  }
  const year = YEAR.exec(question);
  if (year === null) return undefined;
  return { from: utcDay(Number(year[0]), 0, 1), to: utcDay(Number(year[0]), 11, 31), precision: 'year' };
}

/** Matches only what is written with a capital: "May" is a month, "may" is not. */
function capitalised(pattern: RegExp, question: string): RegExpExecArray | null {
  return new RegExp(
    pattern.source.replace(/\b([a-z])([a-z]{2})\(/gu, (_, a: string, b: string) => `${a.toUpperCase()}${b}(`),
    'u',
  ).exec(question);
}

function relative(question: string, today: number | undefined): DateRange | undefined {
  if (today === undefined) return undefined;
  const text = question.toLowerCase();
  const span = (from: number, to: number): DateRange => ({ from, to, precision: from === to ? 'day' : 'span' });
  const weekday = (new Date(today * DAY).getUTCDay() + 6) % 7;
  if (/\bthe day before yesterday\b/u.test(text)) return span(today - 2, today - 2);
  if (/\byesterday\b/u.test(text)) return span(today - 1, today - 1);
  if (/\btoday\b|\bthis morning\b|\btonight\b/u.test(text)) return span(today, today);
  if (/\b(?:last|past|previous) week\b/u.test(text)) return span(today - weekday - 7, today - weekday - 1);
  if (/\bthis week\b/u.test(text)) return span(today - weekday, today);
  if (/\blast weekend\b/u.test(text)) return span(today - weekday - 2, today - weekday - 1);
  if (/\b(?:last|past|previous) month\b/u.test(text)) return monthBefore(today, 1);
  if (/\bthis month\b/u.test(text)) return { ...monthBefore(today, 0), to: today };
  const ago = AGO.exec(text);
  if (ago === null) return undefined;
  const count = /^an?$/u.test(ago[1]!) ? 1 : /^\d/u.test(ago[1]!) ? Number(ago[1]) : NUMBERS.indexOf(ago[1]!);
  if (ago[2] === 'month') return monthBefore(today, count);
  if (ago[2] === 'week') return span(today - 7 * count - 3, today - 7 * count + 3);
  return span(today - count, today - count);
}

function monthBefore(today: number, count: number): DateRange {
  const date = new Date(today * DAY);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() - count];
  return { from: utcDay(year, month, 1), to: utcDay(year, month + 1, 0), precision: 'month' };
}

function monthOf(written: string): number {
  return MONTHS.findIndex((name) => name.startsWith(written.toLowerCase().slice(0, 3)));
}

function dated(
  year: string | undefined,
  thisYear: number | undefined,
  month: number,
  day: number,
  today: number | undefined,
): DateRange | undefined {
  if (year !== undefined) return oneDay(Number(year), month, day);
  if (thisYear === undefined || today === undefined) return undefined;
  const here = utcDay(thisYear, month, day);
  return oneDay(here > today ? thisYear - 1 : thisYear, month, day);
}

function lastYearWith(month: number, today: number | undefined): number | undefined {
  if (today === undefined) return undefined;
  const date = new Date(today * DAY);
  return month > date.getUTCMonth() ? date.getUTCFullYear() - 1 : date.getUTCFullYear();
}

function oneDay(year: number, month: number, day: number): DateRange {
  const at = utcDay(year, month, day);
  return { from: at, to: at, precision: 'day' };
}

function utcDay(year: number, month: number, day: number): number {
  return Math.floor(Date.UTC(year, month, day) / DAY);
}

/**
 * Returns how well a message's day fits the time that the question speaks of, 0..1. People talk about a thing on its
 * day or soon after: day known 0..1 days after 1, −1..7 days 0.7, within a month 0.3; month: same 0.7, next 0.3; year 0.2.
 */
export function dateMatch(range: DateRange | undefined, day: number | undefined): number {
  if (range === undefined || day === undefined) return 0;
  const { from, to, precision } = range;
  if (precision === 'year') return day >= from && day <= to ? 0.2 : 0;
  if (precision === 'month') return day >= from && day <= to ? 0.7 : day > to && day <= to + 31 ? 0.3 : 0;
  if (day >= from && day <= to + 1) return 1;
  if (day >= from - 1 && day <= to + 7) return 0.7;
  return Math.abs(day - from) <= 31 ? 0.3 : 0;
}

const TEMPORAL = new RegExp(
  [
    '\\b(?:yesterday|today|tonight|tomorrow|ago|recently|weekend|morning|evening)\\b',
    '\\b(?:last|next|this) (?:week|weekend|month|year|night|summer|winter|spring|fall|autumn|\\w+day)\\b',
    `\\b(?:${MONTHS.filter((name) => name !== 'may').join('|')})\\b`,
    '\\b(?:in|on|of|after|before|since|until|last|this|next|\\d{1,2}) may\\b(?! not)',
    '\\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\\b',
    '\\b(?:19|20)\\d{2}\\b|\\b\\d{1,2}(?::\\d{2})? ?(?:am|pm)\\b|\\b\\d{1,2}:\\d{2}\\b',
    '\\b(?:\\d+|one|two|three|four|five|six|seven|eight|nine|ten|few) (?:hours?|days?|weeks?|months?|years?)\\b',
  ].join('|'),
  'giu',
);
const ASKS_TIME = /\b(?:when|how long|what (?:year|month|day|date|time)|which (?:year|month|day|date)|since when)\b/iu;

/** Returns whether a question wants to know a time. */
export function asksTime(question: string): boolean {
  return ASKS_TIME.test(question);
}

/** Returns how many expressions of time a text holds. */
export function temporalExpressions(text: string): number {
  return text.match(TEMPORAL)?.length ?? 0;
}
