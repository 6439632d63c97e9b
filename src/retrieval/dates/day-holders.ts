import { fold } from '../../core/text/fold.js';
import { stem } from '../../core/text/stems/stem.js';
import { MONTHS } from '../../core/wording/months.js';
import { WEEKDAYS } from '../../core/wording/recurrence-words.js';
import type { RetrievalParts } from '../collaborators.js';
import type { Question } from '../seed/question.js';
import { type AskedDays, askedDays } from './asked-days.js';
import { DAY, type DateRange, weekdayOf } from './calendar.js';
import { ItemDays, weekdayOfRange } from './item-days.js';
import { datesOf, daysOf, monthsOf, numbersOfDay, ordinalEnd, wordsOfDay } from './month.js';
import { languageOfDay } from './weekdays.js';

/** Documents of a domain with the numbers of one day; more hold them by chance, and are not looked through. */
const MOST_A_DAY = 50;
/** Documents with the numbers of any of its days: a time that more of them hold singles none out. */
const MOST = 200;
/** Days before the asked ones on which what lasts until then may begin: a rota's week, a booking, a month. */
const BEGINS_BEFORE = 31;
/** Words of a question that may not tell its language, and characters. */
const SHORT = 4;
const SHORTEST = 100;

/** The days that a question asks about, and documents that may be of one of them. */
export interface DayHolders {
  /** Tells which documents are; none are read yet. */
  readonly days: ItemDays;
  /** With the numbers of one of the days. */
  readonly ids: readonly string[];
  /** With the numbers of a day before them, on which a time may begin that covers them. */
  readonly earlier: readonly string[];
}

/**
 * Returns the days that a question asks about, and documents of the domains with the numbers of one of them or of a day shortly before: no word of
 * "March 2024" stands in "2024-03-14", none of "18 November 2026" in "from 2026-11-16 to 2026-11-22". The text index answers from its postings, for all
 * days at once. Undefined for a question of no days. `today`: a day number.
 */
export async function dayHolders(
  { text }: Pick<RetrievalParts, 'text'>,
  { text: question, language: own }: Pick<Question, 'text' | 'language'>,
  { domains, today }: { readonly domains: readonly string[]; readonly today?: number | undefined },
): Promise<DayHolders | undefined> {
  const read = daysIn(question, { language: own, today });
  if (read === undefined) return undefined;
  const { asked, language } = read;
  const months = asked.ranges.flatMap((range) => monthsOf(range, { language, isWritten: writesDays(asked, range) }));
  const holding = async (lists: readonly string[][]): Promise<string[]> => {
    const found = await Promise.all(domains.map((domain) => text.containingEach(domain, lists, { most: MOST_A_DAY })));
    const ids = new Set(found.flat().flatMap((of) => (of.length <= MOST_A_DAY ? of : [])));
    return ids.size > MOST ? [] : [...ids];
  };
  // A calendar says in English when something comes again.
  const languages = [...new Set([language, 'english'])];
  const weekdays = asked.ranges.flatMap((range) =>
    languages.flatMap((one) => (weekdayOfRange(range, one)?.whole ?? []).map((name) => [stem(fold(name), one)])),
  );
  const [ids, earlier] = await Promise.all([
    holding([
      ...months.flatMap((month) => datesOf(month).flatMap((iso) => wordsOfDay(iso, { ...month, language }))),
      ...weekdays,
      ...asked.ranges.flatMap(wordsOfRules),
    ]),
    holding(
      asked.ranges.flatMap(({ from }) => daysOf({ from: from - BEGINS_BEFORE, to: from - 1 }).flatMap(numbersOfDay)),
    ),
  ]);
  return { days: new ItemDays(asked, language, months), ids, earlier };
}

/** Days before an asked one on which what comes again may begin and last until then. */
const LASTS_FROM = 6;

/**
 * Returns the words by which the rule of a calendar may hold an asked day: "monthly on the 1st", "every third month on the last day", "monthly on the first
 * working day", "yearly on 5 November"; and by which one may hold a day before it, of what is of several days: "every Friday", "3 days".
 */
function wordsOfRules({ from, to }: DateRange): string[][] {
  if (from !== to) return [];
  const often = ['monthly', 'month', 'yearly', 'year'];
  const isLast = new Date((from + 1) * DAY).getUTCDate() === 1;
  const isWorkingDay = weekdayOf(from) < WEEKDAYS.indexOf('Saturday');
  const of = [
    ...wordsOfBeginning(from),
    ...(isLast
      ? [
          ['monthly', 'last', 'day'],
          ['month', 'last', 'day'],
        ]
      : []),
    ...(isWorkingDay ? often.map((one) => [one, 'working', 'day']) : []),
    ['every', 'day'],
  ];
  const begun = Array.from({ length: LASTS_FROM }, (_, i) => from - 1 - i).flatMap((day) =>
    [[WEEKDAYS[weekdayOf(day)]!], ...wordsOfBeginning(day)].map((words) => [...words, 'day']),
  );
  return [...of, ...begun].map((words) => ['repeats', ...words].map((word) => stem(fold(word), 'english')));
}

/** Returns the words by which a rule of months or years names a day by its number. */
function wordsOfBeginning(number: number): string[][] {
  const date = new Date(number * DAY);
  const day = String(date.getUTCDate());
  const ordinal = day + ordinalEnd(day.padStart(2, '0'));
  return [
    ...['monthly', 'month'].map((often) => [often, ordinal]),
    ...['yearly', 'year'].map((often) => [often, MONTHS.english[date.getUTCMonth()]!, day]),
  ];
}

/** Reads the days of a question; a few words ("theke gestern") may be too few to tell its language. */
function daysIn(
  question: string,
  { language, today }: { readonly language: string; readonly today?: number | undefined },
): { readonly asked: AskedDays; readonly language: string } | undefined {
  const asked = askedDays(question, { language, today });
  if (asked !== undefined) return { asked, language };
  const isShort = question.length <= SHORTEST && question.trim().split(/\s+/u).length <= SHORT;
  const other = isShort ? languageOfDay(question) : undefined;
  const found = other === undefined ? undefined : askedDays(question, { language: other, today });
  return other === undefined || found === undefined ? undefined : { asked: found, language: other };
}

/** Returns whether a question has the words of the days: those that it counts from today, and those between two days, it has not. */
function writesDays({ from }: AskedDays, { precision }: DateRange): boolean {
  return from === undefined && precision !== 'span';
}
