import { forEachInSlices } from '../../core/async/slices.js';
import type { GraphNode } from '../../core/model.js';
import type { AskedDays } from './asked-days.js';
import { comesRoundIn, type DateRange, WEEK, weekdayOf } from './calendar.js';
import { isWithin } from './dates.js';
import { type MonthDays, patternOfDays, patternWithoutYear } from './month.js';
import { type Recurrence, recurrenceIn } from './recurrence.js';
import { dayCells, hasWeekdayCell, statedRanges } from './stated-ranges.js';
import { type WeekdayNames, weekdayNames } from './weekdays.js';

/** Characters of a document that are looked through: a concept may have many. */
const READ = 10_000;
/** A stated time of more days holds so many that it singles none out, as the half year for which a price holds. */
const BRIEF = 31;

/** How surely an item is of the asked days that holds them in one of these ways, 0 to 1; chosen by bench/retrieval/days.ts. */
const FITS = {
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
  /** How surely it is, 0 to 1. */
  readonly fit: number;
  /** It writes one of them, or states a time of at most a month that covers them. */
  readonly isBrief: boolean;
}

type Days = Pick<DateRange, 'from' | 'to'>;

/** Which documents, as far as they were read, are of the days that a question asks about. */
export class ItemDays {
  /** Those that hold one of the days in some form, or state a time from one day to another that covers them ("from: 2026-11-16; to: 2026-11-22"). */
  readonly items = new Map<string, OfDays>();
  /** Rows of other days alone: one of their cells is a day. Prose is of many. */
  readonly others = new Set<string>();
  private readonly seen = new Set<string>();
  private readonly patterns: ReadonlyArray<{ readonly range: DateRange; readonly pattern: RegExp }>;
  private readonly weekly: ReadonlyArray<{ readonly days: DateRange; readonly names: WeekdayNames }>;

  /** `language`: that the days are written in. */
  constructor(
    readonly asked: AskedDays,
    private readonly language: string,
    months: readonly MonthDays[],
  ) {
    // A day without a year is one of any year: all that write theirs come first.
    this.patterns = [patternOfDays, patternWithoutYear].flatMap((make) =>
      months.map((month) => ({ range: month.range, pattern: make(month) })),
    );
    this.weekly = asked.ranges.flatMap((days) => {
      const names = weekdayOfRange(days, language);
      return names === undefined ? [] : [{ days, names }];
    });
  }

  /** Reads the documents among these that were not read yet. Gives way to the event loop. */
  async read(nodes: Iterable<GraphNode>): Promise<void> {
    const fresh = [...nodes].filter(({ id, passage }) => passage?.message === undefined && !this.seen.has(id));
    for (const { id } of fresh) this.seen.add(id);
    await forEachInSlices(fresh, (node) => this.note(node), 'urgent');
  }

  private note({ id, name, description }: GraphNode): void {
    const text = `${name}\n${description.slice(0, READ)}`;
    const cells = dayCells(text, this.language);
    // The days that a rule begins and ends with are not those on which it falls.
    const rule = recurrenceIn(text);
    const of = rule === undefined ? (this.writtenIn(text, cells) ?? this.comingRound(text, cells)) : this.ruled(rule);
    if (of !== undefined) this.items.set(id, of);
    else if (cells.length > 0) this.others.add(id);
  }

  /** Returns how a text writes or covers an asked day. */
  private writtenIn(text: string, cells: readonly number[]): OfDays | undefined {
    const { asked, language, patterns } = this;
    const inCell = asked.ranges.find((range) => cells.some((day) => isWithin(range, day)));
    const written = inCell ?? patterns.find(({ pattern }) => pattern.test(text))?.range;
    const covered = written === undefined ? coveredBy(statedRanges(text, language), asked.ranges) : undefined;
    const days = written ?? covered?.days;
    if (days === undefined) return undefined;
    const way = covered?.way ?? (inCell === undefined ? 'text' : 'cell');
    const fit = FITS[way] * (asked.isSure === false && days !== asked.ranges[0] ? LESS : 1);
    return { days, fit, isBrief: way !== 'longer' };
  }

  /** Returns which asked day something is on that comes again by a rule, or to which it lasts, or of which it says that it is not. */
  private ruled({ falls, lasts, excludes, length }: Recurrence): OfDays | undefined {
    const { asked } = this;
    const ranges = asked.ranges.filter(({ from, to }) => to - from < BRIEF);
    const ways = [
      ['cell', falls],
      [length <= WEEK ? 'week' : 'month', lasts],
      ['text', excludes],
    ] as const;
    for (const [way, isOf] of ways) {
      const days = ranges.find(({ from, to }) => numbersFrom(from, to).some(isOf));
      if (days === undefined) continue;
      const fit = FITS[way] * (asked.isSure === false && days !== asked.ranges[0] ? LESS : 1);
      return { days, fit, isBrief: true };
    }
    return undefined;
  }

  /** Returns which asked day a row is of that comes round each week or each year. */
  private comingRound(text: string, cells: readonly number[]): OfDays | undefined {
    const { asked, weekly } = this;
    const plan = cells.length > 0 ? undefined : weekly.find(({ names }) => hasWeekdayCell(text, names));
    if (plan !== undefined) return { days: plan.days, fit: FITS.weekly, isBrief: true };
    if (asked.isOfAnyYear !== true) return undefined;
    const days = asked.ranges.find((range) => cells.some((day) => comesRoundIn(range, day)));
    return days === undefined ? undefined : { days, fit: FITS.yearly, isBrief: true };
  }
}

function numbersFrom(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, i) => from + i);
}

/** Returns the names of the day of the week where a time is one day. */
export function weekdayOfRange({ from, to }: Days, language: string): WeekdayNames | undefined {
  return from === to ? weekdayNames(language)[weekdayOf(from)] : undefined;
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

/** Returns whether a time holds the asked days, or lies for the most part within them. */
function covers(stated: Days, asked: Days): boolean {
  const common = Math.min(stated.to, asked.to) - Math.max(stated.from, asked.from) + 1;
  return common === asked.to - asked.from + 1 || 2 * common >= stated.to - stated.from + 1;
}
