import { groupBy } from '../../core/group-by.js';
import { fold } from '../../core/text/fold.js';
import { stem } from '../../core/text/stems/stem.js';
import type { DateRange } from './calendar.js';
import { LETTERS } from './date-patterns.js';
import { monthNames, shortMonthNames } from './date-words.js';
import { isoDays } from './dates.js';

/** Days of a month at most. */
const LONGEST = 31;

/** Days of one month that a question asks about. */
export interface MonthDays {
  /** As ISO 8601 writes it: `2024-03`. */
  readonly month: string;
  /** Its short names, as some write it between slashes, hyphens or dots: `Mar`. */
  readonly names: readonly string[];
  /** Its whole names, as sentences write it: `November`. */
  readonly wholeNames: readonly string[];
  /** The question itself writes the days, so that a sentence which does is found by its words. */
  readonly isWritten: boolean;
  /** The days of it that the question asks for, where it does not ask for all. */
  readonly days: readonly string[];
  readonly range: DateRange;
}

/** Returns the days of a range, in ISO 8601, of a longer one the first month's worth. */
export function daysOf({ from, to }: Pick<DateRange, 'from' | 'to'>): string[] {
  return Array.from({ length: Math.min(LONGEST, to - from + 1) }, (_, i) => isoDays({ from: from + i, to: from + i }));
}

/**
 * Returns the days of a range by their months; none for one that is longer than a month. `isWritten`: the question itself writes the days.
 */
export function monthsOf(
  range: DateRange,
  { language, isWritten }: { readonly language: string; readonly isWritten: boolean },
): MonthDays[] {
  if (range.to - range.from >= LONGEST) return [];
  return [...groupBy(daysOf(range), (iso) => iso.slice(0, 7))].map(([month, days]) => {
    const number = Number(month.slice(5));
    const whole = [language, 'english'].map((one) => monthNames(one)[number - 1]!);
    return {
      month,
      names: shortMonthNames(language, number),
      wholeNames: [...new Set(whole)],
      isWritten,
      days: range.precision === 'month' ? [] : days.map((iso) => iso.slice(-2)),
      range,
    };
  });
}

/** Returns the days of a month that are asked for, in ISO 8601. */
export function datesOf({ month, range }: Pick<MonthDays, 'month' | 'range'>): string[] {
  return daysOf(range).filter((iso) => iso.startsWith(month));
}

/** Returns the ways to write a day with dots, from the day up, the likeliest first: each is one word of a text. `day` and `month` have two digits. */
export function dottedDays(year: string, month: string, day: string): string[] {
  const [shortDay, shortMonth] = [day, month].map((number) => number.replace(/^0/u, ''));
  return [
    ...new Set([
      `${day}.${month}.${year}`,
      `${shortDay}.${shortMonth}.${year}`,
      `${shortDay}.${month}.${year}`,
      `${day}.${shortMonth}.${year}`,
    ]),
  ];
}

/** Returns the words by which most tables write a day: its numbers from the year down, and with dots from the day up. */
export function numbersOfDay(iso: string): string[][] {
  const [year, month, day] = iso.split('-') as [string, string, string];
  return [
    [...new Set([year, month, day])],
    ...dottedDays(year, month, day)
      .slice(0, 2)
      .map((word) => [word]),
  ];
}

/**
 * Returns the words by which a text may hold a day that is found by no word of the question: the numbers of it, one word with dots, or a name of its month
 * beside numbers.
 */
export function wordsOfDay(
  iso: string,
  {
    language,
    names,
    wholeNames,
    isWritten,
  }: Pick<MonthDays, 'names' | 'wholeNames' | 'isWritten'> & { readonly language: string },
): string[][] {
  const [year, month, day] = iso.split('-') as [string, string, string];
  // With dots a day is one word.
  const dotted = [...dottedDays(year, month, day), `${year}.${month}.${day}`];
  const short = String(Number(day));
  const unwritten = isWritten ? [] : wholeNames;
  const whole = new Set(unwritten.flatMap((name) => [language, 'english'].map((one) => stem(fold(name), one))));
  const named = names.flatMap((name) => [...new Set([day, short])].map((one) => [year, fold(name), one]));
  const ordinal = `${short}${ordinalEnd(day)}`;
  const inSentence = [...whole].flatMap((name) => [...new Set([day, short, ordinal])].map((one) => [year, name, one]));
  return [[...new Set([year, month, day])], ...dotted.map((word) => [word]), ...named, ...inSentence];
}

/** Returns what an English ordinal number ends with, of a day of two digits. */
export function ordinalEnd(day: string): string {
  return day.startsWith('1') ? 'th' : (({ 1: 'st', 2: 'nd', 3: 'rd' } as Record<string, string>)[day.slice(1)] ?? 'th');
}

/** Sources of patterns for the days of a month: their numbers, its number and names, and a day before its name. */
function sourcesOf({ month, names, wholeNames, days }: MonthDays) {
  const day = days.length === 0 ? '\\d?\\d' : `(?:${days.map((one) => one.replace(/^0/u, '0?')).join('|')})`;
  const name = `(?:${[...wholeNames, ...names].join('|')})`;
  const dayFirst = `${day}(?:st|nd|rd|th|er|\\.|º|°)?\\s{1,2}(?:(?:of|de|di)\\s)?${name}`;
  return { day, number: month.slice(5).replace(/^0/u, '0?'), name, dayFirst };
}

/**
 * Returns a pattern of the days: written from the year down, with dots or its short name from the day up, or with its whole name in a sentence. With slashes or
 * hyphens from the day up 03 and 04 may each be the month.
 */
export function patternOfDays(of: MonthDays): RegExp {
  const { month, names, days } = of;
  const { day, number, name, dayFirst } = sourcesOf(of);
  const year = month.slice(0, 4);
  const forms = [
    `${year}([./-])${month.slice(5)}\\1${days.length === 0 ? '\\d\\d' : `(?:${days.join('|')})`}`,
    `(?<!\\d\\.)${day}\\.${number}\\.${year}`,
    `${day}(?<sign>[./-])(?:${names.join('|')})\\k<sign>${year}`,
    `${dayFirst}\\.?,?\\s{1,2}(?:(?:of|de|del|di)\\s)?${year}`,
    `(?<![${LETTERS}])${name}\\.?\\s{1,2}${day}(?:st|nd|rd|th)?,?\\s{1,2}${year}`,
  ];
  return new RegExp(`(?<!\\d)(?:${forms.join('|')})(?!\\d)`, 'iu');
}

/** Returns a pattern of the days without a year, as sentences and many tables write them: "on 7 November", "am 7.11." */
export function patternWithoutYear(of: MonthDays): RegExp {
  const { day, number, name, dayFirst } = sourcesOf(of);
  const noYear = `(?![${LETTERS}\\d])(?!\\.?,?\\s{1,2}(?:(?:of|de|del|di)\\s)?\\d{4})`;
  const forms = [
    `${dayFirst}${noYear}`,
    `(?<![${LETTERS}])${name}\\s{1,2}${day}(?:st|nd|rd|th)?${noYear}`,
    `${day}\\.\\s?${number}\\.(?!\\s?\\d)`,
  ];
  return new RegExp(`(?<![\\d.,])(?:${forms.join('|')})`, 'iu');
}
