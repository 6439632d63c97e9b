import { type Clock, isoTime } from '../../core/clock.js';
import { fold } from '../../core/text/fold.js';
import { monthOf } from '../../core/wording/months.js';
import {
  DAY,
  type DateInQuestion,
  type DateRange,
  dated,
  lastYearWith,
  monthBefore,
  oneDay,
  oneMonth,
  utcDay,
  weekdayOf,
} from './calendar.js';
import { countedBack } from './counted-days.js';
import { type Patterns, patternsOf, RELATIVE, type RelativeTime } from './date-patterns.js';
import { rangeIn } from './date-ranges.js';
import { dateWords } from './date-words.js';

export type { DateInQuestion, DateRange, MeantTime } from './calendar.js';
export { bounded } from './date-patterns.js';

const ISO = /\b(\d{4})-?(0[1-9]|1[0-2])-?(0[1-9]|[12]\d|3[01])\b/u;
/** 22.8.2026; 8/22/2026 in English and 22/8/2026 elsewhere, or wherever only one of the two can be meant. */
const DOTTED = /\b(\d{1,2})\. ?(\d{1,2})\. ?(\d{4})\b/u;
const SLASHED = /\b(\d{1,2})\/(\d{1,2})\/(\d{4})\b/u;
/**
 * Without a year: "18.11." in German, but for chapters and versions; "on 18.11." in English, whose slashes have either order, and "le 18/11" elsewhere.
 */
const SHORT: Readonly<Record<string, RegExp>> = {
  english:
    /(?<=(?:^| )(?:on|of|from|since|until|till|by|for|the) )(\d{1,2})\. ?(\d{1,2})\.(?!\d)|(?<=(?:^| )\p{Ll}{3,} )(?<! (?:into|version|release|section|chapter|than) )(\d{1,2})\.(\d{1,2})\.(?=\??$)/u,
  german:
    /(?<![\d.,§])(?<!(?:^| )(?:version|release|kapitel|abschnitt|absatz|punkt|ziffer|artikel|nr\.|in|auf|als|§) ?)(\d{1,2})\. ?(\d{1,2})\.(?!\d)/iu,
  ...Object.fromEntries(
    ['french', 'spanish', 'italian', 'portuguese', 'dutch'].map((language) => [
      language,
      /(?<=(?:^| )(?:le|du|au|el|del|al|il|dal|em|de|do|no|dia|op|van|tot) )(\d{1,2})\/(\d{1,2})(?![\d/])/iu,
    ]),
  ),
};
const YEAR_MONTH = /\b(\d{4})-(0[1-9]|1[0-2])\b/u;
const YEAR = /\b(?:19|20)\d{2}\b/u;
/** English months that are a word or a name too: alone they are a month only behind one of these. */
const AMBIGUOUS = new Set(['mar', 'march', 'apr', 'april', 'may', 'jan', 'jun', 'june', 'aug', 'august']);
const BEFORE_MONTH =
  /(?:in|of|during|since|until|till|by|from|last|this|next|early|late|mid|before|after|for|through) $/iu;

/** Returns the day number of an ISO 8601 time, in UTC; undefined where it is none. */
export function dayOf(timestamp: string | undefined): number | undefined {
  const time = timestamp === undefined ? Number.NaN : Date.parse(timestamp);
  return Number.isNaN(time) ? undefined : Math.floor(time / DAY);
}

/** Returns the day number of today, in UTC; undefined without a clock. */
export function todayOf(clock: Clock | undefined): number | undefined {
  return clock === undefined ? undefined : dayOf(isoTime(clock()));
}

/**
 * Returns the time that a question speaks of; undefined where it holds none. `today`: day number that "yesterday" and "last
 * week" count from, and whose year a date without one takes. `language`: as `languageOf` names it.
 */
export function dateIn(question: string, today: number | undefined, language?: string): DateInQuestion | undefined {
  const text = question.replace(/\s+/gu, ' ');
  const patterns = patternsOf(language);
  const range = rangeIn(text, today, patterns) ?? relative(text, today, patterns);
  return range ?? writtenDate(text, today, patterns);
}

/** Returns the first date that a question writes with its year, alone or at the end of a range; undefined where it holds none. */
export function dateWrittenIn(question: string, language?: string): DateInQuestion | undefined {
  return writtenDate(question.replace(/\s+/gu, ' '), undefined, patternsOf(language));
}

function writtenDate(text: string, today: number | undefined, patterns: Patterns): DateInQuestion | undefined {
  return numeric(text, patterns) ?? named(text, today, patterns) ?? withoutYear(text, today, patterns) ?? yearIn(text);
}

/** Reads a day in digits that leaves out its year. */
function withoutYear(text: string, today: number | undefined, { language }: Patterns): DateInQuestion | undefined {
  const found = SHORT[language]?.exec(text) ?? null;
  if (found === null) return undefined;
  const [day, month] = [Number(found[1] ?? found[3]), Number(found[2] ?? found[4])];
  if (month < 1 || month > 12 || day < 1 || day > 31) return undefined;
  const range = dated(undefined, month - 1, day, today);
  return range === undefined ? undefined : { ...range, words: found[0] };
}

/** Reads a date written in digits. */
function numeric(text: string, { words }: Patterns): DateInQuestion | undefined {
  const iso = ISO.exec(text);
  if (iso !== null) return { ...oneDay(Number(iso[1]), Number(iso[2]) - 1, Number(iso[3])), words: iso[0] };
  const dotted = DOTTED.exec(text);
  const slashed = dotted ?? SLASHED.exec(text);
  if (slashed !== null) {
    const [first, second] = [Number(slashed[1]), Number(slashed[2])];
    const monthFirst = dotted === null && (second > 12 || (first <= 12 && words === dateWords()));
    const [day, month] = monthFirst ? [second, first] : [first, second];
    if (month < 1 || month > 12 || day < 1 || day > 31) return undefined;
    return { ...oneDay(Number(slashed[3]), month - 1, day), words: slashed[0] };
  }
  const month = YEAR_MONTH.exec(text);
  return month === null ? undefined : { ...oneMonth(Number(month[1]), Number(month[2]) - 1), words: month[0] };
}

/** Reads a date with the name of its month. */
function named(text: string, today: number | undefined, patterns: Patterns): DateInQuestion | undefined {
  const monthIn = (written: string): number => monthOf(patterns.language, written) - 1;
  const signed = patterns.signed.exec(text);
  if (signed !== null) {
    const [words, day, , month, year] = signed;
    return { ...oneDay(Number(year), monthIn(month!), Number(day)), words };
  }
  const dayFirst = patterns.dayFirst.exec(text);
  const day = dayFirst ?? patterns.monthFirst.exec(text);
  if (day !== null) {
    const [number, month] = dayFirst === null ? [day[2]!, day[1]!] : [day[1]!, day[2]!];
    const range = dated(day[3], monthIn(month), Number(number), today);
    return range === undefined ? undefined : { ...range, words: day[0] };
  }
  for (const month of text.matchAll(patterns.month)) {
    if (month[2] === undefined && isAmbiguous(month, patterns)) continue;
    const index = monthIn(month[1]!);
    const year = month[2] === undefined ? lastYearWith(index, today) : Number(month[2]);
    return year === undefined ? undefined : { ...oneMonth(year, index), words: month[0] };
  }
  return undefined;
}

/** Returns whether a month's name may be another word, as in "May I …?" and "Did June call?". */
function isAmbiguous(month: RegExpExecArray, { words }: Patterns): boolean {
  if (words !== dateWords() || !AMBIGUOUS.has(month[1]!.toLowerCase())) return false;
  return !BEFORE_MONTH.test(month.input.slice(0, month.index));
}

function yearIn(text: string): DateInQuestion | undefined {
  const year = YEAR.exec(text);
  if (year === null) return undefined;
  const [from, to] = [utcDay(Number(year[0]), 0, 1), utcDay(Number(year[0]), 11, 31)];
  return { from, to, precision: 'year', words: year[0] };
}

function relative(
  text: string,
  today: number | undefined,
  { relative: says, language }: Patterns,
): DateInQuestion | undefined {
  if (today === undefined) return undefined;
  const span = (from: number, to: number): DateRange => ({ from, to, precision: from === to ? 'day' : 'span' });
  const weekday = weekdayOf(today);
  const ranges: Readonly<Record<RelativeTime, () => DateRange>> = {
    dayBeforeYesterday: () => span(today - 2, today - 2),
    yesterday: () => span(today - 1, today - 1),
    today: () => span(today, today),
    lastWeek: () => span(today - weekday - 7, today - weekday - 1),
    thisWeek: () => span(today - weekday, today),
    lastWeekend: () => span(today - weekday - 2, today - weekday - 1),
    lastMonth: () => monthBefore(today, 1),
    thisMonth: () => ({ ...monthBefore(today, 0), to: today }),
  };
  for (const name of RELATIVE) {
    const found = says[name].exec(text);
    if (found !== null) return { ...ranges[name](), words: found[0], isRelative: true };
  }
  const back = countedBack(text, today, language);
  return back === undefined ? undefined : { ...back, isRelative: true };
}

/**
 * Returns how well a message's day fits the time that the question speaks of, 0..1. People talk about a thing on its
 * day or soon after: day known 1, the day after 0.9, −1..7 days 0.7, within a month 0.3; month: same 0.7, next 0.3; year 0.2.
 */
export function dateMatch(range: DateRange | undefined, day: number | undefined): number {
  if (range === undefined || day === undefined) return 0;
  const { from, to, precision } = range;
  if (precision === 'year') return day >= from && day <= to ? 0.2 : 0;
  if (precision === 'month') return day >= from && day <= to ? 0.7 : day > to && day <= to + 31 ? 0.3 : 0;
  if (day >= from && day <= to) return 1;
  if (day === to + 1) return 0.9;
  if (day >= from - 1 && day <= to + 7) return 0.7;
  return Math.abs(day - from) <= 31 ? 0.3 : 0;
}

/** Returns whether a day lies within a time. */
export function isWithin({ from, to }: Pick<DateRange, 'from' | 'to'>, day: number | undefined): boolean {
  return day !== undefined && day >= from && day <= to;
}

/** Returns the words of a question that say no more than that something was or was said: "happened", "said". */
export function emptyVerbs(language?: string): ReadonlySet<string> {
  return new Set(dateWords(language).happens.map(fold));
}

/** Returns whether a question wants to know a time. */
export function asksTime(question: string, language?: string): boolean {
  return patternsOf(language).asks.test(question);
}

/** Returns how many expressions of time a text holds. */
export function temporalExpressions(text: string, language?: string): number {
  return text.match(patternsOf(language).temporal)?.length ?? 0;
}

/** Returns days in ISO 8601: one, or the first and the last with a slash between. */
export function isoDays({ from, to }: Pick<DateRange, 'from' | 'to'>): string {
  const [first, last] = [from, to].map((day) => new Date(day * DAY).toISOString().slice(0, 10));
  return first === last ? first! : `${first}/${last}`;
}
