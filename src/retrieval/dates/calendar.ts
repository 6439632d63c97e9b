/** A time that a question speaks of: days since 1970-01-01 UTC, both ends included. */
export interface DateRange {
  readonly from: number;
  readonly to: number;
  readonly precision: 'day' | 'span' | 'month' | 'year';
}

/** A time with the words of the question that speak of it. */
export interface DateInQuestion extends DateRange {
  readonly words: string;
  /** Set where the words alone tell no date: "last week". */
  readonly isRelative?: true;
}

/** The days that words such as "last week" are taken as. */
export interface MeantTime extends Pick<DateInQuestion, 'from' | 'to' | 'words'> {
  /** The day they count from: that of the newest message, or today. */
  readonly day: number;
  readonly isToday: boolean;
}

export const DAY = 86_400_000;
/** Days of a week. */
export const WEEK = 7;

export function monthBefore(today: number, count: number): DateRange {
  const date = new Date(today * DAY);
  return oneMonth(date.getUTCFullYear(), date.getUTCMonth() - count);
}

export function oneMonth(year: number, month: number): DateRange {
  return { from: utcDay(year, month, 1), to: utcDay(year, month + 1, 0), precision: 'month' };
}

/** Returns a day; without a year the last one that was, as far as today is known. */
export function dated(
  year: string | undefined,
  month: number,
  day: number,
  today: number | undefined,
): DateRange | undefined {
  if (year !== undefined) return oneDay(Number(year), month, day);
  if (today === undefined) return undefined;
  const thisYear = new Date(today * DAY).getUTCFullYear();
  return oneDay(utcDay(thisYear, month, day) > today ? thisYear - 1 : thisYear, month, day);
}

export function lastYearWith(month: number, today: number | undefined): number | undefined {
  if (today === undefined) return undefined;
  const date = new Date(today * DAY);
  return month > date.getUTCMonth() ? date.getUTCFullYear() - 1 : date.getUTCFullYear();
}

export function oneDay(year: number, month: number, day: number): DateRange {
  const at = utcDay(year, month, day);
  return { from: at, to: at, precision: 'day' };
}

/** Returns whether a day comes round within a time: on the same day of another year. */
export function comesRoundIn({ from, to }: Pick<DateRange, 'from' | 'to'>, day: number): boolean {
  const [first, date] = [new Date(from * DAY), new Date(day * DAY)];
  const at = utcDay(first.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate());
  return at >= from && at <= to;
}

/** Returns the day of the week: 0 for Monday. */
export function weekdayOf(day: number): number {
  return (new Date(day * DAY).getUTCDay() + 6) % 7;
}

export function utcDay(year: number, month: number, day: number): number {
  return Math.floor(Date.UTC(year, month, day) / DAY);
}
