import type { GreenSums } from '../../../backends/store/gateway/green-rollups.js';
import { bandOf } from './bands.js';
import type { FactorShare } from './uncertainty.js';

/** Sums over all rows, and what follows from them. */
export interface Totals {
  readonly traces: number;
  readonly fallbackTraces: number;
  readonly tokens: number;
  readonly co2Grams: number;
  readonly waterMl: number;
  /** Plain mean over traces; 0 without any. */
  readonly avgConfidence: number;
  /** Mean weighted by grams; 0 without any. */
  readonly weightedConfidence: number;
}

export function totalsOf(rows: readonly GreenSums[]): Totals {
  const traces = sum(rows, (row) => row.traces);
  const co2Grams = sum(rows, (row) => row.totalCo2Grams);
  return {
    traces,
    fallbackTraces: sum(rows, (row) => row.fallbackTraces),
    tokens: sum(rows, tokensOf),
    co2Grams,
    waterMl: sum(rows, (row) => row.waterMl),
    avgConfidence: exact(
      ratio(
        sum(rows, (row) => row.confidenceSum),
        traces,
      ),
    ),
    weightedConfidence: exact(
      ratio(
        sum(rows, (row) => row.confidenceCo2),
        co2Grams,
      ),
    ),
  };
}

/** Returns the emissions by factor: traces of one factor share its error. */
export function sharesOf(rows: readonly GreenSums[]): FactorShare[] {
  const byFactor = new Map<string, { grams: number; confidence: number }>();
  for (const row of rows) {
    const known = byFactor.get(row.factorId) ?? { grams: 0, confidence: 0 };
    known.grams += row.totalCo2Grams;
    known.confidence += row.confidenceCo2;
    byFactor.set(row.factorId, known);
  }
  return [...byFactor]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .filter(([, { grams }]) => grams > 0)
    .map(([, { grams, confidence }]) => ({ grams, band: bandOf(exact(confidence / grams)) }));
}

/** Returns the share of the grams in percent for which a condition holds. */
export function percentOf(rows: readonly GreenSums[], holds: (row: GreenSums) => boolean): number {
  const all = sum(rows, (row) => row.totalCo2Grams);
  return (
    100 *
    ratio(
      sum(rows, (row) => (holds(row) ? row.totalCo2Grams : 0)),
      all,
    )
  );
}

export function tokensOf(row: GreenSums): number {
  return row.inputTokens + row.outputTokens + row.cacheReadTokens;
}

/** Returns a / b, 0 where b is 0. */
export function ratio(a: number, b: number): number {
  return b === 0 ? 0 : a / b;
}

export function sum<T>(items: readonly T[], value: (item: T) => number): number {
  return items.reduce((total, item) => total + value(item), 0);
}

/**
 * Rounds a mean: one of equal values differs from them by rounding, and a band's edge must not fall on the wrong side
 * of it.
 */
export function exact(value: number): number {
  return Math.round(value * 1e12) / 1e12;
}
