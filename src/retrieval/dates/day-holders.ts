import { forEachInSlices } from '../../core/async/slices.js';
import type { GraphNode } from '../../core/model.js';
import { fold } from '../../core/text/fold.js';
import { stem } from '../../core/text/stems/stem.js';
import type { RetrievalParts } from '../collaborators.js';
import type { Question } from '../seed/question.js';
import { type AskedDays, askedDays } from './asked-days.js';
import { comesRoundIn, type DateRange, weekdayOf } from './calendar.js';
import { isWithin } from './dates.js';
import {
  datesOf,
  daysOf,
  type MonthDays,
  monthsOf,
  numbersOfDay,
  patternOfDays,
  patternWithoutYear,
  wordsOfDay,
} from './month.js';
import { dayCells, hasWeekdayCell, statedRanges } from './stated-ranges.js';
import { languageOfDay, type WeekdayNames, weekdayNames } from './weekdays.js';

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

/** Days of a week. */
const WEEK = 7;
/** Words of a question that may not tell its language. */
const SHORT = 4;
const SHORTEST = 100;

/** How surely an item is of the asked days that holds them in one of these ways, 0 to 1; chosen by bench/retrieval/days.ts. */
export const FITS = {
  /** A row with such a day in a cell. */
  cell: 1,
  /** A text that writes one. */
  text: 0.3,
  /** A time of a week at most that covers them. */
  week: 0.5,
  /** One of a month at most. */
  month: 0.3,
  longer: 0,
  /** A row of a weekly plan. */
  weekly: 0.5,
  /** A row with the day of another year in a cell, where the question leaves out the year. */
  yearly: 0.5,
};
/** Factor for the less likely of two times. */
const LESS = 0.5;

/** How an item is of the asked days. */
export interface OfDays {
  readonly days: DateRange;
  /** How surely it is, above 0 to 1. */
  readonly fit: number;
  /** It writes one of them, or states a time of at most a month that covers them. */
  readonly isBrief: boolean;
}

/** The days that a question asks about, and documents that may be of one of them. */
export interface DayHolders {
  readonly asked: AskedDays;
  /** That they are written in. */
  readonly language: string;
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
  const weekdays = asked.ranges.flatMap((range) => weekdayOfRange(range, language)?.whole ?? []);
  const [ids, earlier] = await Promise.all([
    holding([
      ...months.flatMap((month) => datesOf(month).flatMap((iso) => wordsOfDay(iso, { ...month, language }))),
      ...[...new Set(weekdays)].map((name) => [stem(fold(name), language)]),
    ]),
    holding(
      asked.ranges.flatMap(({ from }) => daysOf({ from: from - BEGINS_BEFORE, to: from - 1 }).flatMap(numbersOfDay)),
    ),
  ]);
  return { asked, language, months, ids, earlier };
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

/** Returns the names of the day of the week where a time is one day. */
function weekdayOfRange({ from, to }: Days, language: string): WeekdayNames | undefined {
  return from === to ? weekdayNames(language)[weekdayOf(from)] : undefined;
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
  { asked, language, months }: Pick<DayHolders, 'asked' | 'language' | 'months'>,
  nodes: Iterable<GraphNode>,
): Promise<Map<string, OfDays>> {
  const documents = [...nodes].filter(({ passage }) => passage?.message === undefined);
  const patternsBy = (make: (month: MonthDays) => RegExp) =>
    months.map((month) => ({ range: month.range, pattern: make(month) }));
  // A day without a year is one of any year: all that write theirs come first.
  const patterns = [...patternsBy(patternOfDays), ...patternsBy(patternWithoutYear)];
  const weekly = asked.ranges.flatMap((days) => {
    const names = weekdayOfRange(days, language);
    return names === undefined ? [] : [{ days, names }];
  });
  const found = new Map<string, OfDays>();
  await forEachInSlices(
    documents,
    ({ id, name, description }) => {
      const text = textOf({ name, description });
      const cells = dayCells(text, language);
      const inCell = asked.ranges.find((range) => cells.some((day) => isWithin(range, day)));
      const written = inCell ?? patterns.find(({ pattern }) => pattern.test(text))?.range;
      const covered = written === undefined ? coveredBy(statedRanges(text, language), asked.ranges) : undefined;
      const days = written ?? covered?.days;
      if (days !== undefined) {
        const way = covered?.way ?? (inCell === undefined ? 'text' : 'cell');
        const fit = FITS[way] * (asked.isSure === false && days !== asked.ranges[0] ? LESS : 1);
        found.set(id, { days, fit, isBrief: way !== 'longer' });
        return;
      }
      const plan = cells.length > 0 ? undefined : weekly.find(({ names }) => hasWeekdayCell(text, names));
      const round = asked.isOfAnyYear && asked.ranges.find((range) => cells.some((day) => comesRoundIn(range, day)));
      if (plan !== undefined) found.set(id, { days: plan.days, fit: FITS.weekly, isBrief: true });
      else if (round) found.set(id, { days: round, fit: FITS.yearly, isBrief: true });
    },
    'urgent',
  );
  return found;
}

/**
 * Returns the rows among these documents that are of other days than those that are asked for: one of their cells is a day. Prose is of many. Gives way to the
 * event loop.
 */
export async function ofOtherDays(
  nodes: readonly GraphNode[],
  { asked, items, language }: Pick<DayHolders, 'asked' | 'language'> & { readonly items: ReadonlyMap<string, OfDays> },
): Promise<Set<string>> {
  const found = new Set<string>();
  if (asked.isLimit === true) return found;
  await forEachInSlices(
    nodes.filter(({ id }) => !items.has(id)),
    (node) => {
      if (dayCells(textOf(node), language).length > 0) found.add(node.id);
    },
    'urgent',
  );
  return found;
}

function textOf({ name, description }: Pick<GraphNode, 'name' | 'description'>): string {
  return `${name}\n${description.slice(0, READ)}`;
}

/** Returns the first of the asked times that one of the stated ones covers, and how long the shortest of these is. */
function coveredBy(
  stated: readonly DateRange[],
  asked: readonly DateRange[],
): { readonly days: DateRange; readonly way: 'week' | 'month' | 'longer' } | undefined {
  for (const days of asked) {
    const covering = stated.filter((one) => covers(one, days));
    if (covering.length === 0) continue;
    const shortest = Math.min(...covering.map(({ from, to }) => to - from + 1));
    return { days, way: shortest <= WEEK ? 'week' : shortest <= BRIEF ? 'month' : 'longer' };
  }
  return undefined;
}

type Days = Pick<DateRange, 'from' | 'to'>;

/** Returns whether a time holds the asked days, or lies for the most part within them. */
function covers(stated: Days, asked: Days): boolean {
  const common = Math.min(stated.to, asked.to) - Math.max(stated.from, asked.from) + 1;
  return common === asked.to - asked.from + 1 || 2 * common >= stated.to - stated.from + 1;
}
