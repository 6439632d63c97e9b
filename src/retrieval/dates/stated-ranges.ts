import { cellsOf } from '../cells/cells.js';
import type { DateRange } from './calendar.js';
import { type Patterns, patternsOf } from './date-patterns.js';
import { rangesFromTo } from './date-ranges.js';
import { dateWrittenIn } from './dates.js';
import type { WeekdayNames } from './weekdays.js';

/** Characters of a text that are read. */
const READ = 4000;
const HAS_YEAR = /(?:1[89]|20|21)\d\d/u;
/** What the columns of the first and the last day of something are called, or end with: "from", "valid to", "startDate". */
const FIRST =
  /(?:^|[ .])(?:from|since|start(?:s|ed|ing)?|begin(?:s|ning)?|arrival|check ?in|first day|von|ab|beginn|anfang|anreise|du|depuis|début|arrivée|desde|inicio|comienzo|llegada|dal|inizio|arrivo|de|início|chegada|van|vanaf|aankomst)(?: (?:date|day|datum|on|at))?$/iu;
const LAST =
  /(?:^|[ .])(?:to|until|till|through|thru|end(?:s|ed|ing)?|departure|check ?out|last day|expiry|expires|bis|ende|abreise|au|fin|jusqu['’]au|départ|hasta|salida|al|fine|partenza|até|fim|saída|tot|eind(?:e)?|vertrek)(?: (?:date|day|datum|on|at))?$/iu;
const SLASHED = /^\d{1,2}\/\d{1,2}\/\d{4}/u;
const YEAR_FIRST = /^(\d{4})\/(\d\d)\/(\d\d)\b/u;

/**
 * Returns the times that a text states from one day to another: "from 16 to 22 November 2026", and the row "from: 2026-11-16; to: 2026-11-22". A range
 * without a year is none. Pure.
 */
export function statedRanges(written: string, language: string): DateRange[] {
  const text = written.slice(0, READ);
  if (!HAS_YEAR.test(text)) return [];
  return [...ofColumns(text, language), ...rangesFromTo(text.replace(/\s+/gu, ' '), undefined, patternsOf(language))];
}

/** Returns the days that are cells of a row, as day numbers: "date: 2026-11-16"; none of 06/05/2026, where either number may be the month. Pure. */
export function dayCells(written: string, language: string): number[] {
  const text = written.slice(0, READ);
  if (!HAS_YEAR.test(text)) return [];
  return text
    .split('\n')
    .flatMap((line) =>
      cellsOf(line).flatMap(({ value }) => (SLASHED.test(value) ? [] : (dayIn(value, language) ?? []))),
    );
}

/** Returns whether a cell of a row is a day of the week, by one of its names: "weekday: Tue". Pure. */
export function hasWeekdayCell(written: string, { whole, short }: WeekdayNames): boolean {
  const lines = written.slice(0, READ).split('\n');
  const names = new Set([...whole, ...short]);
  return lines.some((line) => cellsOf(line).some(({ value }) => names.has(value.toLowerCase().replace(/\.$/u, ''))));
}

/** Reads the days between two cells of a row. */
function* ofColumns(text: string, language: Patterns['language']): Generator<DateRange> {
  for (const line of text.split('\n')) {
    let first: number | undefined;
    for (const { label, value } of cellsOf(line)) {
      const isLast = LAST.test(label);
      if (!isLast && !FIRST.test(label)) continue;
      const day = dayIn(value, language);
      if (day === undefined) continue;
      if (!isLast) first = day;
      else if (first !== undefined && first <= day) yield { from: first, to: day, precision: 'span' };
    }
  }
}

function dayIn(cell: string, language: string): number | undefined {
  if (!HAS_YEAR.test(cell)) return undefined;
  const date = dateWrittenIn(cell.replace(/(?<=\d)T(?=\d\d:).*$/u, '').replace(YEAR_FIRST, '$1-$2-$3'), language);
  return date?.precision === 'day' ? date.from : undefined;
}
