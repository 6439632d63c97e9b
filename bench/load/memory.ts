export interface MemorySample {
  /** Heap in use after a full collection, or resident memory of the process. */
  readonly kind: 'heap' | 'resident';
  /** Since the service started. */
  readonly seconds: number;
  readonly bytes: number;
}

export interface Slope {
  readonly firstMb: number;
  readonly lastMb: number;
  /** Percent of the mean that a straight line through the samples rises in a minute (least squares). */
  readonly percentPerMinute: number;
  readonly samples: number;
}

/** Fits a line through the samples of one kind; undefined for fewer than three. */
export function slopeOf(samples: readonly MemorySample[], kind: MemorySample['kind']): Slope | undefined {
  const own = samples.filter((sample) => sample.kind === kind);
  if (own.length < 3) return undefined;
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const minutes = own.map(({ seconds }) => seconds / 60);
  const megabytes = own.map(({ bytes }) => bytes / 1e6);
  const [x, y] = [mean(minutes), mean(megabytes)];
  const rise = mean(minutes.map((minute, i) => (minute - x) * (megabytes[i]! - y)));
  const spread = mean(minutes.map((minute) => (minute - x) ** 2));
  return {
    firstMb: megabytes[0]!,
    lastMb: megabytes.at(-1)!,
    percentPerMinute: spread === 0 ? 0 : (100 * rise) / spread / y,
    samples: own.length,
  };
}
