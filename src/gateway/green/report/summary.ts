import type { GreenSums } from '../../../backends/store/gateway/green-rollups.js';
import { bandMultipliers, confidenceLabel } from '../accounting/bands.js';
import { percentOf, ratio, sharesOf, sum, tokensOf, totalsOf } from '../accounting/totals.js';
import { RHO, simulatedInterval } from '../accounting/uncertainty.js';
import { DAY_MS } from '../carbon-types.js';
import { type Equivalents, equivalentsOf } from './equivalents.js';
import { isoDay } from './period.js';

const MILLION = 1_000_000;

export interface GroupSums {
  readonly traces: number;
  readonly co2Grams: number;
  readonly waterMl: number;
  readonly tokens: number;
}

export interface GreenSummary {
  readonly traceCount: number;
  readonly totalCo2Grams: number;
  readonly totalWaterMl: number;
  readonly avgCo2PerTrace: number;
  readonly avgConfidence: number;
  readonly totalTokens: number;
  readonly intensityPerMillionTokens: number;
  readonly intensityPerQuery: number;
  /** Multipliers of the total. */
  readonly uncertaintyLower: number;
  readonly uncertaintyUpper: number;
  readonly uncertaintyDetail: {
    readonly method: string;
    readonly rho: number;
    readonly p2_5Grams: number;
    readonly p50Grams: number;
    readonly p97_5Grams: number;
  };
  /** Milliseconds, or null. */
  readonly minTimestamp: number | null;
  readonly maxTimestamp: number | null;
  readonly oldestTimestamp: number | null;
  readonly newestTimestamp: number | null;
  /** ISO dates; empty texts where there is nothing. */
  readonly dateRange: { readonly start: string; readonly end: string };
  readonly providers: ReadonlyArray<{
    readonly provider: string;
    readonly traceCount: number;
    readonly totalCo2Grams: number;
    readonly percentage: number;
  }>;
  readonly byProvider: Readonly<Record<string, GroupSums>>;
  readonly byModel: Readonly<Record<string, GroupSums & { readonly avgCo2PerTrace: number }>>;
  readonly equivalents: Equivalents;
  /** Words for the band of `avgConfidence`; they do not say which source the factors have. */
  readonly confidence: { readonly label: string; readonly description: string };
  /** Share of the traces that used a generic class as factor, 0..1; a maker's flagship that stands in is none. */
  readonly fallbackShare: number;
}

/** Returns the summary of sums by provider, model and factor. */
export function summaryOf(
  rows: readonly GreenSums[],
  options: { readonly range: { min: number | null; max: number | null }; readonly profile: string },
): GreenSummary {
  const { range, profile } = options;
  const totals = totalsOf(rows);
  const band = bandMultipliers(totals.avgConfidence);
  const interval = simulatedInterval(sharesOf(rows));
  const byProvider = grouped(rows, (row) => row.provider);
  return {
    traceCount: totals.traces,
    totalCo2Grams: totals.co2Grams,
    totalWaterMl: totals.waterMl,
    avgCo2PerTrace: ratio(totals.co2Grams, totals.traces),
    avgConfidence: totals.avgConfidence,
    totalTokens: totals.tokens,
    ...intensities(totals),
    uncertaintyLower: band.lower,
    uncertaintyUpper: band.upper,
    uncertaintyDetail: {
      method: 'lognormal factor errors with a common and an individual part, 10,000 seeded draws',
      rho: RHO,
      p2_5Grams: interval.p2_5,
      p50Grams: interval.p50,
      p97_5Grams: interval.p97_5,
    },
    minTimestamp: range.min,
    maxTimestamp: range.max,
    oldestTimestamp: range.min,
    newestTimestamp: range.max,
    dateRange: { start: isoDate(range.min), end: isoDate(range.max) },
    providers: [...byProvider]
      .map(([provider, group]) => ({
        provider,
        traceCount: group.traces,
        totalCo2Grams: group.co2Grams,
        percentage: percentOf(rows, (row) => row.provider === provider),
      }))
      .sort((a, b) => b.totalCo2Grams - a.totalCo2Grams || (a.provider < b.provider ? -1 : 1)),
    byProvider: Object.fromEntries(byProvider),
    byModel: Object.fromEntries(
      [...grouped(rows, (row) => row.model)].map(([model, group]) => [
        model,
        { ...group, avgCo2PerTrace: ratio(group.co2Grams, group.traces) },
      ]),
    ),
    equivalents: equivalentsOf(totals.co2Grams, profile),
    confidence: confidenceLabel(totals.avgConfidence),
    fallbackShare: ratio(totals.fallbackTraces, totals.traces),
  };
}

/** Returns the grams per million tokens and per call. */
export function intensities(totals: { readonly co2Grams: number; readonly tokens: number; readonly traces: number }): {
  intensityPerMillionTokens: number;
  intensityPerQuery: number;
} {
  return {
    intensityPerMillionTokens: ratio(totals.co2Grams * MILLION, totals.tokens),
    intensityPerQuery: ratio(totals.co2Grams, totals.traces),
  };
}

function grouped(rows: readonly GreenSums[], key: (row: GreenSums) => string): Map<string, GroupSums> {
  const groups = new Map<string, GreenSums[]>();
  for (const row of rows) {
    const name = key(row);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [row]);
    else group.push(row);
  }
  return new Map(
    [...groups]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, group]) => [
        name,
        {
          traces: sum(group, (row) => row.traces),
          co2Grams: sum(group, (row) => row.totalCo2Grams),
          waterMl: sum(group, (row) => row.waterMl),
          tokens: sum(group, tokensOf),
        },
      ]),
  );
}

function isoDate(ms: number | null): string {
  return ms === null ? '' : isoDay(Math.floor(ms / DAY_MS));
}
