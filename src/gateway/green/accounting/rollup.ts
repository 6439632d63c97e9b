import type { RollupRow } from '../../../backends/store/gateway/green-rollups.js';
import type { NewGreenTrace } from '../../../backends/store/gateway/green-traces.js';
import { forEachInSlices } from '../../../core/async/slices.js';
import { DAY_MS } from '../carbon-types.js';

/** Returns what traces add to the sums of their days, in key order. */
export async function rollupsOf(traces: readonly NewGreenTrace[]): Promise<RollupRow[]> {
  const rows = new Map<string, RollupRow>();
  await forEachInSlices(traces, (trace) => {
    const day = Math.floor(trace.timestamp / DAY_MS);
    const { provider, model, factorId, calculationMethod } = trace;
    const key = JSON.stringify([day, provider, model, factorId, calculationMethod]);
    const row = rows.get(key) ?? emptyRollup({ day, provider, model, factorId, calculationMethod });
    row.traces += 1;
    row.fallbackTraces += trace.factorSource === 'fallback' ? 1 : 0;
    row.inputTokens += trace.inputTokens;
    row.outputTokens += trace.outputTokens;
    row.cacheReadTokens += trace.cacheReadTokens;
    row.inputCo2Grams += trace.inputCo2Grams;
    row.outputCo2Grams += trace.outputCo2Grams;
    row.cacheCo2Grams += trace.cacheCo2Grams;
    row.totalCo2Grams += trace.totalCo2Grams;
    row.waterMl += trace.waterMl;
    row.confidenceSum += trace.confidence;
    row.confidenceCo2 += trace.confidence * trace.totalCo2Grams;
    rows.set(key, row);
  });
  return [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}

function emptyRollup(key: Pick<RollupRow, 'day' | 'provider' | 'model' | 'factorId' | 'calculationMethod'>): RollupRow {
  return {
    ...key,
    traces: 0,
    fallbackTraces: 0,
    inputTokens: 0,
    outputTokens: 0,
    cacheReadTokens: 0,
    inputCo2Grams: 0,
    outputCo2Grams: 0,
    cacheCo2Grams: 0,
    totalCo2Grams: 0,
    waterMl: 0,
    confidenceSum: 0,
    confidenceCo2: 0,
  };
}
