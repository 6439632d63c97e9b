/** The last mean of an arm in an hour in which it changed. */
export interface HourMean {
  readonly hour: number;
  readonly armId: string;
  readonly mean: number;
}

export interface ConvergenceBucket {
  /** Start of the bucket, milliseconds. */
  readonly t: number;
  readonly armId: string;
  readonly value: number;
}

const HOUR_MS = 3_600_000;
/** Entries at most; the newest buckets stay. */
const MAX_ENTRIES = 100_000;

/**
 * Returns, for each bucket in which something changed, the last mean of every arm that was known at its end, by time
 * then arm. `notes` are in order of time.
 */
export function convergenceBuckets(notes: readonly HourMean[], width: number, since = 0): ConvergenceBucket[] {
  const known = new Map<string, number>();
  const buckets: ConvergenceBucket[][] = [];
  let entries = 0;
  for (let at = 0; at < notes.length; ) {
    const t = startOf(notes[at]!, width);
    while (at < notes.length && startOf(notes[at]!, width) === t) {
      known.set(notes[at]!.armId, notes[at]!.mean);
      at += 1;
    }
    if (t + width <= since) continue;
    buckets.push([...known].sort(([a], [b]) => (a < b ? -1 : 1)).map(([armId, value]) => ({ t, armId, value })));
    entries += known.size;
    while (entries > MAX_ENTRIES && buckets.length > 1) entries -= buckets.shift()!.length;
  }
  return buckets.flat();
}

function startOf({ hour }: HourMean, width: number): number {
  return Math.floor((hour * HOUR_MS) / width) * width;
}
