import { dayTotals, type GreenSums, sumDays, sumTraces } from '../../backends/store/gateway/green-rollups.js';
import { greenBuckets } from '../../backends/store/gateway/green-traces.js';
import type { Store } from '../../backends/store/scope.js';
import { LAST_MOMENT } from '../../core/clock.js';
import { sum } from './accounting/totals.js';
import { DAY_MS } from './carbon-types.js';
import type { Period } from './report/period.js';

type Db = Store['db'];

export interface TimeRange {
  /** Milliseconds; the end is excluded. */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
}

export const WINDOWS = { '1h': 3_600_000, '1d': DAY_MS, '7d': 7 * DAY_MS } as const;
export type Window = keyof typeof WINDOWS;

export interface GreenBucket {
  /** Start of the bucket, a multiple of its width since the epoch. */
  readonly t: number;
  readonly co2Grams: number;
  readonly traceCount: number;
}

/** Days that a date can hold, from 1970 on; the end is excluded. */
const FIRST_DAY = 0;
const LAST_DAY = Math.floor(LAST_MOMENT / DAY_MS) + 1;

/** Returns the sums of a range: whole days from the rollups, what is left at its ends from the traces. */
export async function sumsOf(db: Db, { since, until }: TimeRange): Promise<GreenSums[]> {
  const first = since === undefined ? undefined : Math.ceil(since / DAY_MS);
  const last = until === undefined ? undefined : Math.floor(until / DAY_MS);
  if (first !== undefined && last !== undefined && first > last) {
    return sumTraces(db, { since: since!, until: until! });
  }
  const before = since === undefined ? [] : sumTraces(db, { since, until: first! * DAY_MS });
  const after = until === undefined ? [] : sumTraces(db, { since: last! * DAY_MS, until });
  return (await Promise.all([sumDays(db, first ?? FIRST_DAY, last ?? LAST_DAY), before, after])).flat();
}

/** Returns the grams of whole days. */
export async function gramsOf(db: Db, { start, end }: Pick<Period, 'start' | 'end'>): Promise<number> {
  return sum(await sumDays(db, start, end), (row) => row.totalCo2Grams);
}

/** Returns the buckets of a width; from the rollups where days suffice. Empty ones are absent. */
export async function bucketsOf(db: Db, window: Window, range: TimeRange): Promise<GreenBucket[]> {
  const width = WINDOWS[window];
  const wholeDays = [range.since, range.until].every((ms) => ms === undefined || ms % DAY_MS === 0);
  if (window === '1h' || !wholeDays) {
    const buckets = await greenBuckets(db, width, range);
    return buckets.map(({ bucket, ...values }) => ({ t: bucket * width, ...values }));
  }
  const from = range.since === undefined ? FIRST_DAY : range.since / DAY_MS;
  const to = range.until === undefined ? LAST_DAY : range.until / DAY_MS;
  const buckets = new Map<number, GreenBucket>();
  for (const { day, co2Grams, traceCount } of await dayTotals(db, from, to)) {
    const t = Math.floor((day * DAY_MS) / width) * width;
    const known = buckets.get(t) ?? { t, co2Grams: 0, traceCount: 0 };
    buckets.set(t, { t, co2Grams: known.co2Grams + co2Grams, traceCount: known.traceCount + traceCount });
  }
  return [...buckets.values()];
}
