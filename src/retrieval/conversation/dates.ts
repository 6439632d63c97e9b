import { fold } from '../../core/text/fold.js';
import { monthOf, shortMonths } from '../../core/wording/months.js';
import { type DateWords, dateWords } from './date-words.js';

/** A time that a question speaks of: days since 1970-01-01 UTC, both ends included. */
export interface DateRange {
  readonly from: number;
  readonly to: number;
  readonly precision: 'day' | 'span' | 'month' | 'year';
}

/** A time with the words of the question that speak of it. */
export interface DateInQuestion extends DateRange {
  readonly words: string;
}

const DAY = 86_400_000;
const ISO = /\b(\d{4})-?(0[1-9]|1[0-2])-?(0[1-9]|[12]\d|3[01])\b/u;
/** 22.8.2026; 8/22/2026 in English and 22/8/2026 elsewhere, or wherever only one of the two can be meant. */
const DOTTED = /\b(\d{1,2})\. ?(\d{1,2})\. ?(\d{4})\b/u;
const SLASHED = /\b(\d{1,2})\/(\d{1,2})\/(\d{4})\b/u;
const YEAR_MONTH = /\b(\d{4})-(0[1-9]|1[0-2])\b/u;
const YEAR = /\b(?:19|20)\d{2}\b/u;
/** English months that are a word or a name too: alone they are a month only behind one of these. */
const AMBIGUOUS = new Set(['mar', 'march', 'apr', 'april', 'may', 'jan', 'jun', 'june', 'aug', 'august']);
const BEFORE_MONTH =
  /(?:in|of|during|since|until|till|by|from|last|this|next|early|late|mid|before|after|for|through) $/iu;
const CLOCK = '(?:19|20)\\d{2}|\\d{1,2}(?::\\d{2})? ?(?:am|pm)|\\d{1,2}:\\d{2}';

/** Patterns of one language. */
interface Patterns {
  readonly words: DateWords;
  readonly language: string;
  readonly signed: RegExp;
  readonly dayFirst: RegExp;
  readonly monthFirst: RegExp;
  readonly month: RegExp;
  readonly relative: Readonly<Record<RelativeTime, RegExp>>;
  readonly ago: RegExp;
  readonly asks: RegExp;
  readonly temporal: RegExp;
}

const RELATIVE = [
  ...(['dayBeforeYesterday', 'yesterday', 'today', 'lastWeek'] as const),
  ...(['thisWeek', 'lastWeekend', 'lastMonth', 'thisMonth'] as const),
];
type RelativeTime = (typeof RELATIVE)[number];

const made = new Map<string, Patterns>();

/** Letters from Latin to Hangul, as a class lists them. The engine takes milliseconds to compile each `\p{L}` that disregards case. */
const LETTERS = 'a-zA-Zªµºß-öø-ÿÀ-ÖØ-Þ\\u0100-\\u024f\\u0370-\\u1fff\\u2c00-\\u2dff\\u3040-\\ud7ff';

/**
 * Returns a pattern of whole words. Letters beyond a to z make `\b` useless: words are bounded by what is no letter or digit. `\p{L}`
 * stands for a letter, outside of classes.
 */
export function bounded(pattern: string, flags: string): RegExp {
  const letter = `[${LETTERS}]`;
  return new RegExp(`(?<![${LETTERS}0-9])(?:${pattern.replaceAll('\\p{L}', letter)})(?![${LETTERS}0-9])`, flags);
}

function patternsOf(language = 'english'): Patterns {
  const known = made.get(language);
  if (known !== undefined) return known;
  const words = dateWords(language);
  const english = words === dateWords();
  const named = english ? 'english' : language;
  const short = (name: string) => (english ? `${name.slice(0, 3)}(?:${name.slice(3)})?` : name);
  const shorts = words.months.flatMap((_, i) => shortMonths(named, i + 1)).join('|');
  // Elsewhere a short name may be another word where no year follows it: "mar" is the sea.
  const others = english ? 'sept' : `(?:${shorts})(?=\\.?,? (?:de |del |di )?\\d{4})`;
  const month = `(${words.months.map(short).join('|')}|${others})\\.?`;
  const year = '(?:,? (?:of |de |del |di )?(\\d{4}))?';
  const count = `(\\d{1,2}|\\p{L}+)`;
  const { before, after, day, week, month: months } = words.ago;
  const patterns: Patterns = {
    words,
    language: named,
    signed: bounded(`(\\d{1,2})([./-])(${words.months.join('|')}|${shorts})\\2(\\d{4})`, 'iu'),
    dayFirst: bounded(`(\\d{1,2})(?:st|nd|rd|th|er|\\.|º|°)? (?:of |de |di )?${month}${year}`, 'iu'),
    monthFirst: bounded(`${month} (\\d{1,2})(?:st|nd|rd|th)?${year}`, 'iu'),
    // "May" is a month, "may" is not; elsewhere months may be written small.
    month: bounded(
      `${english ? month.replace(/[a-z](?=[a-z]{2}\(|ept\))/gu, (c) => c.toUpperCase()) : month}${year}`,
      english ? 'gu' : 'giu',
    ),
    relative: Object.fromEntries(RELATIVE.map((name) => [name, bounded(words[name], 'iu')])) as Patterns['relative'],
    ago: bounded(
      `${[before, count, `(?:(${day})|(${week})|(${months}))`, after].filter((one) => one !== '').join(' ')}`,
      'iu',
    ),
    asks: bounded(words.asks, 'iu'),
    temporal: bounded(temporal(words, english), 'giu'),
  };
  made.set(language, patterns);
  return patterns;
}

/** Returns the pattern of what says when, in a turn. */
function temporal(words: DateWords, english: boolean): string {
  const numbers = words.numbers.slice(1).join('|');
  return [
    CLOCK,
    ...(english
      ? [
          '(?:last|next|this) (?:week|weekend|month|year|night|summer|winter|spring|fall|autumn|\\w+day)',
          '(?:in|on|of|after|before|since|until|last|this|next|\\d{1,2}) may(?! not)',
          `(?:\\d+|${numbers}|few) (?:hours?|days?|weeks?|months?|years?)`,
        ]
      : [`(?:\\d+|${numbers}) (?:${words.ago.day}|${words.ago.week}|${words.ago.month})`]),
    ...RELATIVE.filter((name) => !english || name === 'yesterday' || name === 'today').map((name) => words[name]),
    words.months.filter((name) => !english || name !== 'may').join('|'),
    words.weekdays,
    words.other,
  ].join('|');
}

/** Returns the day number of an ISO 8601 time, in UTC; undefined where it is none. */
export function dayOf(timestamp: string | undefined): number | undefined {
  const time = timestamp === undefined ? Number.NaN : Date.parse(timestamp);
  return Number.isNaN(time) ? undefined : Math.floor(time / DAY);
}

/**
 * Returns the time that a question speaks of; undefined where it holds none. `today`: day number that "yesterday" and "last
 * week" count from, and whose year a date without one takes. `language`: as `languageOf` names it.
 */
export function dateIn(question: string, today: number | undefined, language?: string): DateInQuestion | undefined {
  const text = question.replace(/\s+/gu, ' ');
  const patterns = patternsOf(language);
  return relative(text, today, patterns) ?? numeric(text, patterns) ?? named(text, today, patterns) ?? yearIn(text);
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
  { relative: says, ago: agoPattern, words }: Patterns,
): DateInQuestion | undefined {
  if (today === undefined) return undefined;
  const span = (from: number, to: number): DateRange => ({ from, to, precision: from === to ? 'day' : 'span' });
  const weekday = (new Date(today * DAY).getUTCDay() + 6) % 7;
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
    if (found !== null) return { ...ranges[name](), words: found[0] };
  }
  const ago = agoPattern.exec(text);
  const count = ago === null ? undefined : countOf(ago[1]!.toLowerCase(), words.numbers);
  if (ago === null || count === undefined) return undefined;
  if (ago[4] !== undefined) return { ...monthBefore(today, count), words: ago[0] };
  if (ago[3] !== undefined) return { ...span(today - 7 * count - 3, today - 7 * count + 3), words: ago[0] };
  return { ...span(today - count, today - count), words: ago[0] };
}

/** Returns the number that a word or digits say; an article, in any of its forms, is 1. */
function countOf(written: string, numbers: readonly string[]): number | undefined {
  if (/^\d/u.test(written)) return Number(written);
  const at = numbers.indexOf(written);
  if (at !== -1) return at;
  return /^(?:an?|ein\p{L}{0,2}|une?|un[ao]|uma|een)$/u.test(written) ? 1 : undefined;
}

function monthBefore(today: number, count: number): DateRange {
  const date = new Date(today * DAY);
  return oneMonth(date.getUTCFullYear(), date.getUTCMonth() - count);
}

function oneMonth(year: number, month: number): DateRange {
  return { from: utcDay(year, month, 1), to: utcDay(year, month + 1, 0), precision: 'month' };
}

/** Returns a day; without a year the last one that was, as far as today is known. */
function dated(year: string | undefined, month: number, day: number, today: number | undefined): DateRange | undefined {
  if (year !== undefined) return oneDay(Number(year), month, day);
  if (today === undefined) return undefined;
  const thisYear = new Date(today * DAY).getUTCFullYear();
  return oneDay(utcDay(thisYear, month, day) > today ? thisYear - 1 : thisYear, month, day);
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
