import { aheadWords } from './ahead-words.js';
import { byLanguage } from './by-language.js';
import {
  DAY,
  type DateInQuestion,
  type DateRange,
  monthBefore,
  oneDay,
  oneMonth,
  utcDay,
  WEEK,
  weekdayOf,
} from './calendar.js';
import { type CountedTime, countedAhead } from './counted-days.js';
import { bounded, LETTERS, patternsOf, withoutMarks } from './date-patterns.js';
import { dateIn } from './dates.js';
import { askedWeekday } from './weekdays.js';

/** The days that a question to documents asks about. */
export interface AskedDays {
  /** As the question writes them. */
  readonly words: string;
  /** One time; two where the question leaves out the year (the last such days and the next) or does not tell which Monday it means, or which number of 06/05/2026 is the month. */
  readonly ranges: readonly [DateRange, ...DateRange[]];
  /** The second time is the less likely one. */
  readonly isSure?: false;
  /** The question leaves out the year: what comes round each year may be meant, such as a birthday. */
  readonly isOfAnyYear?: true;
  /** It asks for what is before them or after them. */
  readonly isLimit?: true;
  /** Today, where the words count from it: "next week". */
  readonly from?: number;
}

/** Characters before a day that may make it a week, or the end of a time. */
const BEFORE = 40;

const aheadOf = byLanguage((language) => {
  const { dayAfterTomorrow, tomorrow, nextWeek, nextMonth, weekOf, limits, onwards } = aheadWords(language);
  return {
    dayAfterTomorrow: bounded(withoutMarks(dayAfterTomorrow, language), 'iu'),
    tomorrow: bounded(withoutMarks(tomorrow, language), 'iu'),
    nextWeek: bounded(withoutMarks(nextWeek, language), 'iu'),
    nextMonth: bounded(withoutMarks(nextMonth, language), 'iu'),
    weekOf: new RegExp(`(?:${weekOf}) $`, 'iu'),
    // An article or "on" may stand between.
    limit: bounded(`(?:${withoutMarks(limits, language)})[ '’](?:[a-zà-ü]{1,5}[ '’])?$`, 'iu'),
    onwards: onwards === undefined ? undefined : new RegExp(`^ (?:${onwards})(?![${LETTERS}])`, 'iu'),
  };
});

/**
 * Returns the days that a question asks about; undefined for a question of none, or of a year. `today`: a day number, from which "next week" counts
 * and whose year and neighbours a day without one takes; without it such a day is none. Pure.
 */
export function askedDays(
  question: string,
  { language, today }: { readonly language: string; readonly today?: number | undefined },
): AskedDays | undefined {
  const text = question.replace(/\s+/gu, ' ');
  const asked = daysOf(text, { language, today });
  if (asked === undefined) return undefined;
  const { limit, onwards } = aheadOf(language);
  const behind = text.slice(text.indexOf(asked.words) + asked.words.length);
  const isLimit = limit.test(before(text, asked.words)) || onwards?.test(behind) === true;
  return isLimit ? { ...asked, isLimit } : asked;
}

function daysOf(
  text: string,
  { language, today }: { readonly language: string; readonly today?: number | undefined },
): AskedDays | undefined {
  const written = dateIn(text, undefined, language);
  if (written !== undefined) {
    if (written.precision === 'year') return undefined;
    const asked = withWeek(text, written, language);
    const other = otherOrder(written);
    return other === undefined
      ? asked
      : { ...asked, ranges: [...asked.ranges, ...withWeek(text, other, language).ranges], isSure: false };
  }
  if (today === undefined) return undefined;
  const coming = ahead(text, today, language);
  if (coming !== undefined) return { words: coming.words, ranges: [coming], from: today };
  const later = countedAhead(text, today, language);
  if (later !== undefined) return ofCounted(later, today);
  const found = dateIn(text, today, language);
  if (found === undefined) {
    const weekday = askedWeekday(text, today, language);
    if (weekday === undefined) return undefined;
    return { ...weekday, from: today, ...(weekday.ranges.length > 1 ? { isSure: false } : {}) };
  }
  if (found.isRelative === true) return { words: found.words, ranges: [found], from: today };
  const last = withWeek(text, found, language);
  const next = withWeek(text, { ...found, ...aYearLater(found) }, language);
  return { words: last.words, ranges: [...last.ranges, ...next.ranges], isOfAnyYear: true };
}

/** Returns a time that is counted from today; of some weeks the same day of the week first. */
function ofCounted({ day, words, ...range }: CountedTime, today: number): AskedDays {
  if (day === undefined) return { words, ranges: [range], from: today };
  return { words, ranges: [{ from: day, to: day, precision: 'day' }, range], from: today, isSure: false };
}

/** A day whose first two numbers may each be its month. */
const SLASHED = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/u;

/** Returns what 06/05/2026 means as well, where its numbers do not tell which of them is the month. */
function otherOrder({ from, words }: DateInQuestion): DateInQuestion | undefined {
  const [first, second, year] = (SLASHED.exec(words) ?? []).slice(1).map(Number);
  if (first === undefined || first === second || first > 12 || second! > 12) return undefined;
  const [one, two] = [oneDay(year!, first - 1, second!), oneDay(year!, second! - 1, first)];
  return { ...(one.from === from ? two : one), words };
}

/** Returns what stands shortly before the first of these words. */
function before(text: string, words: string): string {
  const at = text.indexOf(words);
  return text.slice(Math.max(0, at - BEFORE), at);
}

/** Returns a day, or the week that holds it where the question asks for that. */
function withWeek(text: string, date: DateInQuestion, language: string): AskedDays {
  const ofWeek = aheadOf(language).weekOf.exec(before(text, date.words))?.[0];
  if (date.precision !== 'day' || ofWeek === undefined) return { words: date.words, ranges: [date] };
  const monday = date.from - weekdayOf(date.from);
  return { words: ofWeek + date.words, ranges: [{ from: monday, to: monday + WEEK - 1, precision: 'span' }] };
}

function ahead(text: string, today: number, language: string): (DateRange & { readonly words: string }) | undefined {
  const { dayAfterTomorrow, tomorrow, nextWeek, nextMonth } = aheadOf(language);
  // A document may say what is still to come of this week; in a conversation it is over today.
  const { thisWeek, thisMonth } = patternsOf(language).relative;
  const monday = today - weekdayOf(today);
  const weekFrom = (from: number): DateRange => ({ from, to: from + WEEK - 1, precision: 'span' });
  const times: ReadonlyArray<readonly [RegExp, () => DateRange]> = [
    [dayAfterTomorrow, () => oneDayAfter(today, 2)],
    [tomorrow, () => oneDayAfter(today, 1)],
    [nextWeek, () => weekFrom(monday + WEEK)],
    [nextMonth, () => monthBefore(today, -1)],
    [thisWeek, () => weekFrom(monday)],
    [thisMonth, () => monthBefore(today, 0)],
  ];
  for (const [pattern, range] of times) {
    const words = pattern.exec(text)?.[0];
    if (words !== undefined) return { ...range(), words };
  }
  return undefined;
}

function oneDayAfter(today: number, count: number): DateRange {
  return { from: today + count, to: today + count, precision: 'day' };
}

function aYearLater({ from, to, precision }: DateRange): DateRange {
  const [first, last] = [from, to].map((day) => new Date(day * DAY));
  const [year, month] = [first!.getUTCFullYear() + 1, first!.getUTCMonth()];
  // February may end on another day then.
  if (precision === 'month' && last!.getUTCMonth() === month) return oneMonth(year, month);
  const later = (date: Date): number => utcDay(date.getUTCFullYear() + 1, date.getUTCMonth(), date.getUTCDate());
  return { from: later(first!), to: later(last!), precision };
}
