import { monthOf } from '../../core/wording/months.js';
import { DAY, type DateInQuestion, type DateRange, lastYearWith, oneMonth, utcDay, WEEK } from './calendar.js';
import { bounded, LETTERS, type Patterns } from './date-patterns.js';
import { dateWords } from './date-words.js';

/** A date as far as it is written, its month from 0. */
interface Parts {
  readonly day?: number;
  readonly month?: number;
  readonly year?: number;
}

/** Parts of a date, in the order in which they are written. */
type Order = ReadonlyArray<keyof Parts>;

interface Form {
  readonly order: Order;
  readonly atStart: RegExp;
  readonly atEnd: RegExp;
}

/** Patterns of one language. */
interface RangePatterns {
  readonly partsOfMonth: readonly RegExp[];
  readonly phase: RegExp;
  readonly join: RegExp;
  readonly between: RegExp;
  readonly forms: readonly Form[];
}

/** Characters on either side of what joins two dates that one of them takes at most. */
const LONGEST = 40;
/** What may join two dates is looked at so many times: a text may be full of hyphens. */
const MOST_JOINS = 200;
const ARTICLE = '(?:(?:the|dem|den|zum|le|el|il|o|dia|de) )?';
const ORDINAL = '(?:st|nd|rd|th|er|\\.|º|°)?';
const HALF = 15;
/** The last days of what is early in a month, and of what is in its middle. */
const [EARLY, MIDDLE] = [10, 20];

const made = new Map<string, RangePatterns>();

function patternsOf({ language, words, sources }: Patterns): RangePatterns {
  const known = made.get(language);
  if (known !== undefined) return known;
  const { ordinals, half, of, early, middle, late, until, between, and, to } = words.ranges;
  const { week } = words.units;
  const ordinal = `(?:${ordinals.map((one, i) => `(?<nth${i}>${one})`).join('|')})`;
  const named = `(?<month>${sources.month})`;
  const year = `(?<year>${sources.year})`;
  const form = (source: string, order: Order): Form => ({
    order,
    atStart: new RegExp(`^${ARTICLE}(?:${source})(?![${LETTERS}0-9])`, 'iu'),
    atEnd: new RegExp(`(?<![${LETTERS}0-9.,/-])(?:${source})$`, 'iu'),
  });
  const patterns: RangePatterns = {
    partsOfMonth: [
      bounded(`${ordinal} (?:(?<week>${week})|${half}) ${of}${named}${year}`, 'iu'),
      ...(language === 'german' ? [bounded(`${ordinal} ${named}(?:(?<week>woche)|hälfte)${year}`, 'iu')] : []),
    ],
    phase: bounded(
      `(?<!(?:${until}) (?:the )?)(?:(?<early>${early})|(?<middle>${middle})|${late})[ -]${named}${year}`,
      'iu',
    ),
    join: new RegExp(`(?: (?:(?<and>${and})|${to}) | ?[-–—] ?)(?=${ARTICLE}(?:\\d|${sources.month}))`, 'giu'),
    between: new RegExp(`(?<![${LETTERS}0-9])${between} ${ARTICLE}$`, 'iu'),
    forms: [
      form('(\\d{4})-(\\d{2})-(\\d{2})', ['year', 'month', 'day']),
      form('(\\d{1,2})\\. ?(\\d{1,2})\\.(?: ?(\\d{4}))?', ['day', 'month', 'year']),
      form(`(\\d{1,2})${ORDINAL} (?:of |de |di )?${sources.month}${sources.year}`, ['day', 'month', 'year']),
      form(`${sources.month} (\\d{1,2})${ORDINAL}${sources.year}`, ['month', 'day', 'year']),
      form(`${sources.month}${sources.year}`, ['month', 'year']),
      form(`(\\d{1,2})${ORDINAL}(?:, (\\d{4}))?`, ['day', 'year']),
    ],
  };
  made.set(language, patterns);
  return patterns;
}

/**
 * Returns the days of a part of a month ("the last week of February", "mid-March") or from one date to another; undefined for a question
 * that speaks of neither. `today`: day number whose year a date without one takes.
 */
export function rangeIn(text: string, today: number | undefined, patterns: Patterns): DateInQuestion | undefined {
  return partOfMonth(text, today, patterns) ?? rangesFromTo(text, today, patterns).next().value;
}

function partOfMonth(text: string, today: number | undefined, patterns: Patterns): DateInQuestion | undefined {
  const { partsOfMonth, phase } = patternsOf(patterns);
  const nth = partsOfMonth.reduce<RegExpExecArray | null>((found, pattern) => found ?? pattern.exec(text), null);
  const found = nth ?? phase.exec(text);
  const { month: written = '', year: writtenYear = '', ...groups } = found?.groups ?? {};
  // "How late may I come?"
  if (found === null || (nth === null && written === 'may' && patterns.words === dateWords())) return undefined;
  const month = monthFrom(written, patterns);
  const year = Number(/\d{4}/u.exec(writtenYear)?.[0] ?? lastYearWith(month, today));
  if (Number.isNaN(year)) return undefined;
  const { from, to } = oneMonth(year, month);
  const days = nth === null ? daysOfPhase(groups, to - from + 1) : daysOfNth(groups, to - from + 1);
  return { from: from + days[0] - 1, to: from + days[1] - 1, precision: 'span', words: found[0] };
}

type Groups = Readonly<Record<string, string | undefined>>;

/** Returns the first and the last day of the early, middle or late days of a month. */
function daysOfPhase({ early, middle }: Groups, length: number): readonly [number, number] {
  if (early !== undefined) return [1, EARLY];
  return middle === undefined ? [MIDDLE + 1, length] : [EARLY + 1, MIDDLE];
}

/** Returns the first and the last day of a week or half of a month. */
function daysOfNth(groups: Groups, length: number): readonly [number, number] {
  const nth = [0, 1, 2, 3].find((i) => groups[`nth${i}`] !== undefined);
  if (groups.week !== undefined)
    return nth === undefined ? [length - WEEK + 1, length] : [nth * WEEK + 1, (nth + 1) * WEEK];
  return nth === 0 ? [1, HALF] : [HALF + 1, length];
}

function monthFrom(written: string, { language }: Patterns): number {
  return monthOf(language, written.replace(/\.$/u, '')) - 1;
}

/** Yields the days from each date that a text writes to another: "between 20 and 28 February 2026". */
export function* rangesFromTo(
  text: string,
  today: number | undefined,
  patterns: Patterns,
): Generator<DateInQuestion, undefined> {
  const { join, between } = patternsOf(patterns);
  let read = 0;
  for (const { index, 0: joined, groups } of text.matchAll(join)) {
    read += 1;
    if (read > MOST_JOINS) return undefined;
    const end = index + joined.length;
    const right = readParts(text.slice(end, end + LONGEST), 'atStart', patterns);
    if (right === undefined) continue;
    const left = readParts(text.slice(Math.max(0, index - LONGEST), index), 'atEnd', patterns);
    if (left === undefined) continue;
    const start = index - left.words.length;
    const lead = between.exec(text.slice(Math.max(0, start - LONGEST), start))?.[0];
    if (groups?.and !== undefined && lead === undefined) continue;
    // "February 20 to 28", and not "20 February to 28 people".
    if (right.parts.month === undefined && left.order[0] !== 'month') continue;
    const range = combined(left.parts, right.parts, today);
    if (range === undefined) continue;
    yield { ...range, words: text.slice(start - (lead?.length ?? 0), end + right.words.length) };
  }
  return undefined;
}

/** Reads the date at one end of a text. */
function readParts(
  text: string,
  at: 'atStart' | 'atEnd',
  patterns: Patterns,
): { readonly parts: Parts; readonly order: Order; readonly words: string } | undefined {
  for (const { order, [at]: pattern } of patternsOf(patterns).forms) {
    const found = pattern.exec(text);
    if (found === null) continue;
    const parts: { -readonly [part in keyof Parts]: number } = {};
    for (const [i, part] of order.entries()) {
      const written = found[i + 1];
      if (written === undefined) continue;
      const number = part !== 'month' || /^\d/u.test(written) ? Number(written) : monthFrom(written, patterns) + 1;
      parts[part] = part === 'month' ? number - 1 : number;
    }
    return { parts, order, words: found[0] };
  }
  return undefined;
}

/** Returns the days from one date to another; each takes the month and the year that only the other has. */
function combined(left: Parts, right: Parts, today: number | undefined): DateRange | undefined {
  const [fromMonth, toMonth] = [left.month ?? right.month, right.month ?? left.month];
  if (fromMonth === undefined || toMonth === undefined || fromMonth > 11 || toMonth > 11) return undefined;
  if ((left.day === undefined) !== (right.day === undefined)) return undefined;
  const over = fromMonth > toMonth ? 1 : 0;
  const year = left.year ?? (right.year === undefined ? undefined : right.year - over);
  const fromYear = year ?? lastYearFrom(fromMonth, left.day ?? 1, today);
  if (fromYear === undefined) return undefined;
  const toYear = right.year ?? fromYear + over;
  const from = utcDay(fromYear, fromMonth, left.day ?? 1);
  const to = right.day === undefined ? utcDay(toYear, toMonth + 1, 0) : utcDay(toYear, toMonth, right.day);
  if (to <= from) return undefined;
  return { from, to, precision: right.day === undefined ? 'month' : 'span' };
}

/** Returns the last year in which a day was. */
function lastYearFrom(month: number, day: number, today: number | undefined): number | undefined {
  if (today === undefined) return undefined;
  const year = new Date(today * DAY).getUTCFullYear();
  return utcDay(year, month, day) > today ? year - 1 : year;
}
