import { fold } from '../../core/text/fold.js';
import type { DateRange } from './calendar.js';
import { shortMonthNames } from './date-words.js';
import { isoDays } from './dates.js';
import { dottedDays } from './dotted-days.js';

/** Days of a month at most. */
const LONGEST = 31;

/** Days of one month that a question asks about. */
export interface MonthDays {
  /** As ISO 8601 writes it: `2024-03`. */
  readonly month: string;
  /** Its short names, as some write it between slashes, hyphens or dots: `Mar`. */
  readonly names: readonly string[];
  /** The days of it that the question asks for, where it does not ask for all. */
  readonly days: readonly string[];
  readonly range: DateRange;
}

/** Returns the days of a range, in ISO 8601. */
export function daysOf({ from, to }: Pick<DateRange, 'from' | 'to'>): string[] {
  return Array.from({ length: Math.min(LONGEST, to - from + 1) }, (_, i) => isoDays({ from: from + i, to: from + i }));
}

/** Returns a range within one month, or that month; undefined for another: from one month to another no single name stands for the days. */
export function monthDays(range: DateRange, language: string): MonthDays | undefined {
  const days = daysOf(range);
  const [year, month] = days[0]!.split('-') as [string, string];
  if (!isoDays({ from: range.to, to: range.to }).startsWith(`${year}-${month}-`)) return undefined;
  return {
    month: `${year}-${month}`,
    names: shortMonthNames(language, Number(month)),
    days: range.precision === 'month' ? [] : days.map((iso) => iso.slice(-2)),
    range,
  };
}

/** Returns the words by which a text may hold a day: the numbers of it, one word with dots, or its month's short name between numbers. */
export function wordsOfDay(iso: string, names: readonly string[]): string[][] {
  const [year, month, day] = iso.split('-') as [string, string, string];
  // With dots a day is one word.
  const dotted = [...dottedDays(year, month, day), `${year}.${month}.${day}`];
  const named = names.flatMap((name) => [...new Set([day, String(Number(day))])].map((one) => [year, fold(name), one]));
  return [[...new Set([year, month, day])], ...dotted.map((word) => [word]), ...named];
}

/**
 * Returns a pattern of the days: written from the year down, or with dots or its short name from the day up. With slashes or hyphens from the day up 03 and 04
 * may each be the month.
 */
export function patternOfDays({ month, names, days }: MonthDays): RegExp {
  const [year, number] = month.split('-') as [string, string];
  const wanted = days.length === 0 ? '\\d\\d' : `(?:${days.join('|')})`;
  const short = days.length === 0 ? '\\d?\\d' : `(?:${days.map((day) => day.replace(/^0/u, '0?')).join('|')})`;
  const down = `${year}([./-])${number}\\1${wanted}`;
  const up = `${short}\\.${number.replace(/^0/u, '0?')}\\.${year}`;
  const named = `${short}(?<sign>[./-])(?:${names.join('|')})\\k<sign>${year}`;
  return new RegExp(`(?<!\\d)(?:${down}|(?<!\\d\\.)${up}|${named})(?!\\d)`, 'iu');
}
