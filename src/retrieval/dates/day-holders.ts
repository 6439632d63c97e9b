import { forEachInSlices } from '../../core/async/slices.js';
import type { GraphNode } from '../../core/model.js';
import type { RetrievalParts } from '../collaborators.js';
import type { Question } from '../seed/question.js';
import { type AskedDays, askedDays } from './asked-days.js';
import type { DateRange } from './calendar.js';
import { daysOf, type MonthDays, monthDays, patternOfDays, wordsOfDay } from './month.js';
import { statedRanges } from './stated-ranges.js';

/** Documents of a domain with the numbers of one day; more hold them by chance, and are not looked through. */
const MOST_A_DAY = 50;
/** Documents with the numbers of any of its days: a time that more of them hold singles none out. */
const MOST = 200;
/** Days before the asked ones on which what lasts until then may begin: a rota's week, a booking, a month. */
const BEGINS_BEFORE = 31;
/** Characters of a document that are looked through: a concept may have many. */
const READ = 10_000;

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
  const months = asked.ranges.flatMap((range) => monthDays(range, language) ?? []);
  const holding = async (ranges: readonly DateRange[]): Promise<string[]> => {
    const lists = ranges.flatMap((range) => {
      const names = monthDays(range, language)?.names ?? [];
      return daysOf(range).flatMap((iso) => wordsOfDay(iso, names));
    });
    const found = await Promise.all(domains.map((domain) => text.containingEach(domain, lists, { most: MOST_A_DAY })));
    const ids = new Set(found.flat().flatMap((of) => (of.length <= MOST_A_DAY ? of : [])));
    return ids.size > MOST ? [] : [...ids];
  };
  const inOneMonth = asked.ranges.filter((range) => monthDays(range, language) !== undefined);
  const [ids, earlier] = await Promise.all([
    holding(inOneMonth),
    holding(asked.ranges.map(({ from }) => ({ from: from - BEGINS_BEFORE, to: from - 1, precision: 'span' }))),
  ]);
  return { asked, months, ids, earlier };
}

/**
 * Returns the documents among these that hold one of the days in some form, or state a time from one day to another that covers them ("from: 2026-11-16; to:
 * 2026-11-22"), each with the asked days it is of. Gives way to the event loop.
 */
export async function ofAskedDays(
  { asked, months }: Pick<DayHolders, 'asked' | 'months'>,
  nodes: Iterable<GraphNode>,
  language: string,
): Promise<Map<string, DateRange>> {
  const documents = [...nodes].filter(({ passage }) => passage?.message === undefined);
  const patterns = months.map((month) => ({ range: month.range, pattern: patternOfDays(month) }));
  const found = new Map<string, DateRange>();
  await forEachInSlices(
    documents,
    ({ id, name, description }) => {
      const text = `${name}\n${description.slice(0, READ)}`;
      const days =
        patterns.find(({ pattern }) => pattern.test(text))?.range ??
        coveredBy(statedRanges(text, language), asked.ranges);
      if (days !== undefined) found.set(id, days);
    },
    'urgent',
  );
  return found;
}

/** Returns the first of the asked times that one of the stated ones covers. */
function coveredBy(stated: readonly DateRange[], asked: readonly DateRange[]): DateRange | undefined {
  return asked.find((range) => stated.some((one) => covers(one, range)));
}

type Days = Pick<DateRange, 'from' | 'to'>;

/** Returns whether a time holds the asked days, or lies for the most part within them. */
function covers(stated: Days, asked: Days): boolean {
  const common = Math.min(stated.to, asked.to) - Math.max(stated.from, asked.from) + 1;
  return common === asked.to - asked.from + 1 || 2 * common >= stated.to - stated.from + 1;
}
