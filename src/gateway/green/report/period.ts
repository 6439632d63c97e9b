import { isoTime } from '../../../core/clock.js';
import { SvcError } from '../../../core/errors.js';
import { DAY_MS, type Day } from '../carbon-types.js';

/** A reporting period in UTC: whole days, the end excluded. */
export interface Period {
  /** As written, such as `2025`, `2025-Q3`, `2025-07`, `2025-W27`. */
  readonly name: string;
  readonly start: Day;
  readonly end: Day;
}

const FORMAT = /^(\d{4})(?:-(?:Q([1-4])|W(\d{2})|(\d{2})))?$/;

/** Parses a year, quarter, month or ISO week. Throws `invalid_input` for anything else. */
export function parsePeriod(text: string): Period {
  const [, yearText, quarter, week, month] = FORMAT.exec(text) ?? [];
  const year = Number(yearText);
  if (yearText === undefined || year < 1970) throw wrongPeriod();
  if (quarter !== undefined) return quarterOf(year, Number(quarter) - 1);
  if (month !== undefined) {
    if (Number(month) < 1 || Number(month) > 12) throw wrongPeriod();
    return months(text, year, Number(month) - 1, 1);
  }
  if (week !== undefined) return isoWeek(text, year, Number(week));
  return months(text, year, 0, 12);
}

/** Returns the first day of a month, counted from January of `year` (0); months beyond a year carry over. */
export function dayOf(year: number, month: number, date = 1): Day {
  return Date.UTC(year, month, date) / DAY_MS;
}

function months(name: string, year: number, first: number, count: number): Period {
  return { name, start: dayOf(year, first), end: dayOf(year, first + count) };
}

/** Returns a quarter of a year, counted from 0. */
function quarterOf(year: number, quarter: number): Period {
  return months(`${year}-Q${quarter + 1}`, year, quarter * 3, 3);
}

/**
 * Returns a week by ISO 8601: weeks begin on Monday; week 1 holds 4 January. The last of 9999 is refused: it ends on a
 * day that `YYYY-MM-DD` cannot name.
 */
function isoWeek(name: string, year: number, week: number): Period {
  const start = firstMonday(year) + (week - 1) * 7;
  if (week < 1 || start >= firstMonday(year + 1) || start + 7 > dayOf(10_000, 0)) throw wrongPeriod();
  return { name, start, end: start + 7 };
}

function firstMonday(year: number): Day {
  const fourth = dayOf(year, 0, 4);
  // 1970-01-01 was a Thursday.
  const weekday = (fourth + 3) % 7;
  return fourth - weekday;
}

function wrongPeriod(): SvcError {
  return new SvcError(
    'invalid_input',
    'period must be a year YYYY, a quarter YYYY-Qn, a month YYYY-MM or an ISO week YYYY-Wnn, from 1970 to 9999.',
    { member: 'period' },
  );
}

/** Formats a day as `YYYY-MM-DD`; years beyond 9999 have a sign and six digits. */
export function isoDay(day: Day): string {
  return isoTime(day * DAY_MS).replace(/T.*/, '');
}

export function yearOf(ms: number): number {
  return new Date(ms).getUTCFullYear();
}

/** Returns the four quarters that end with the one that holds the period's last day, oldest first. */
export function trendQuarters(period: Period): Period[] {
  const last = new Date((period.end - 1) * DAY_MS);
  const index = last.getUTCFullYear() * 4 + Math.floor(last.getUTCMonth() / 3);
  return [3, 2, 1, 0].map((back) => quarterOf(Math.floor((index - back) / 4), (index - back) % 4));
}

/** Returns the same part of another year: the year itself, its quarter, month or week. */
export function sameOf(period: Period, year: number): Period | undefined {
  try {
    return parsePeriod(`${String(year).padStart(4, '0')}${period.name.slice(4)}`);
  } catch {
    return undefined;
  }
}
