import { forEachInSlices } from '../../core/async/slices.js';
import type { GraphNode } from '../../core/model.js';
import type { RetrievalParts } from '../collaborators.js';
import type { Question } from '../seed/question.js';
import { type AskedDays, askedDays } from './asked-days.js';
import type { DateRange } from './calendar.js';
import { datesOf, daysOf, type MonthDays, monthsOf, numbersOfDay, patternOfDays, wordsOfDay } from './month.js';
import { statedRanges } from './stated-ranges.js';

/** Documents of a domain with the numbers of one day; more hold them by chance, and are not looked through. */
const MOST_A_DAY = 50;
/** Documents with the numbers of any of its days: a time that more of them hold singles none out. */
const MOST = 200;
/** Days before the asked ones on which what lasts until then may begin: a rota's week, a booking, a month. */
const BEGINS_BEFORE = 31;
/** Characters of a document that are looked through: a concept may have many. */
const READ = 10_000;

/** A stated time of more days holds so many that it singles none out, as the half year for which a price holds. */
const BRIEF = 31;

/** How an item is of the asked days. */
export interface OfDays {
  readonly days: DateRange;
  /** It writes one of them, or states a time of at most a month that covers them. */
  readonly isBrief: boolean;
}

/** The days that a question asks about, and documents that may be of one of them. */
export interface DayHolders {
  readonly asked: AskedDays;
  readonly months: readonly MonthDays[];
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
  { text: question, language }: Pick<Question, 'text' | 'language'>,
  { domains, today }: { readonly domains: readonly string[]; readonly today?: number | undefined },
): Promise<DayHolders | undefined> {
  const asked = askedDays(question, { language, today });
  if (asked === undefined) return undefined;
  const months = asked.ranges.flatMap((range) => monthsOf(range, { language, isWritten: writesDays(asked, range) }));
  const holding = async (lists: readonly string[][]): Promise<string[]> => {
    const found = await Promise.all(domains.map((domain) => text.containingEach(domain, lists, { most: MOST_A_DAY })));
    const ids = new Set(found.flat().flatMap((of) => (of.length <= MOST_A_DAY ? of : [])));
    return ids.size > MOST ? [] : [...ids];
  };
  const [ids, earlier] = await Promise.all([
    holding(months.flatMap((month) => datesOf(month).flatMap((iso) => wordsOfDay(iso, { ...month, language })))),
    holding(
      asked.ranges.flatMap(({ from }) => daysOf({ from: from - BEGINS_BEFORE, to: from - 1 }).flatMap(numbersOfDay)),
    ),
  ]);
  return { asked, months, ids, earlier };
}

/** Returns whether a question has the words of the days: those that it counts from today, and those between two days, it has not. */
function writesDays({ from }: AskedDays, { precision }: DateRange): boolean {
  return from === undefined && precision !== 'span';
}

/**
 * Returns the documents among these that hold one of the days in some form, or state a time from one day to another that covers them ("from: 2026-11-16; to:
 * 2026-11-22"). Gives way to the event loop.
 */
export async function ofAskedDays(
  { asked, months }: Pick<DayHolders, 'asked' | 'months'>,
  nodes: Iterable<GraphNode>,
  language: string,
): Promise<Map<string, OfDays>> {
  const documents = [...nodes].filter(({ passage }) => passage?.message === undefined);
  const patterns = months.map((month) => ({ range: month.range, pattern: patternOfDays(month) }));
  const found = new Map<string, OfDays>();
  await forEachInSlices(
    documents,
    ({ id, name, description }) => {
      const text = `${name}\n${description.slice(0, READ)}`;
      const written = patterns.find(({ pattern }) => pattern.test(text))?.range;
      const of =
        written === undefined
          ? coveredBy(statedRanges(text, language), asked.ranges)
          : { days: written, isBrief: true };
      if (of !== undefined) found.set(id, of);
    },
    'urgent',
  );
  return found;
}

/** Returns the first of the asked times that one of the stated ones covers, by the shortest of these. */
function coveredBy(stated: readonly DateRange[], asked: readonly DateRange[]): OfDays | undefined {
  for (const days of asked) {
    const covering = stated.filter((one) => covers(one, days));
    if (covering.length === 0) continue;
    return { days, isBrief: covering.some(({ from, to }) => to - from < BRIEF) };
  }
  return undefined;
}

type Days = Pick<DateRange, 'from' | 'to'>;

/** Returns whether a time holds the asked days, or lies for the most part within them. */
function covers(stated: Days, asked: Days): boolean {
  const common = Math.min(stated.to, asked.to) - Math.max(stated.from, asked.from) + 1;
  return common === asked.to - asked.from + 1 || 2 * common >= stated.to - stated.from + 1;
}
