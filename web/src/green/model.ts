import type { Static } from '@sinclair/typebox';
import type { greenExplain, greenSummary, greenTimeseries, greenTraces } from '../../../src/operations/gateway/green.js';
import type { greenTargets } from '../../../src/operations/gateway/green-reports.js';
import { query, sinceOf } from '../shared/page.js';
import { read } from '../shared/api.js';

export const BASE = '/__gateway__/api/green';

export type Summary = Static<typeof greenSummary.output>;
export type Buckets = Static<typeof greenTimeseries.output>['buckets'];
export type Targets = Static<typeof greenTargets.output>;
export type Traces = Static<typeof greenTraces.output>;
export type Trace = Traces['traces'][number];
export type Explanation = Static<typeof greenExplain.output>;

export interface GreenData {
  readonly summary: Summary;
  readonly buckets: Buckets;
  readonly targets: Targets;
  /** Grams recorded by UTC year; empty without targets. */
  readonly years: ReadonlyMap<number, number>;
  readonly last: readonly Trace[];
}

/** Everything that the page shows of a range of days (`0`: all). */
export async function loadGreen(days: string): Promise<GreenData> {
  const since = sinceOf(days);
  const [summary, series, targets, traces] = await Promise.all([
    read<Summary>(`${BASE}/summary${query({ since })}`),
    read<{ buckets: Buckets }>(`${BASE}/timeseries${query({ window: days === '1' ? '1h' : '1d', since })}`),
    read<Targets>(`${BASE}/targets`),
    read<Traces>(`${BASE}/traces${query({ limit: 20, since })}`),
  ]);
  const years = targets.targets.length === 0 ? new Map<number, number>() : await gramsByYear();
  return { summary, buckets: series.buckets, targets, years, last: traces.traces };
}

async function gramsByYear(): Promise<Map<number, number>> {
  const { buckets } = await read<{ buckets: Buckets }>(`${BASE}/timeseries?window=1d`);
  const years = new Map<number, number>();
  for (const { t, co2Grams } of buckets) {
    const year = new Date(t).getUTCFullYear();
    years.set(year, (years.get(year) ?? 0) + co2Grams);
  }
  return years;
}
