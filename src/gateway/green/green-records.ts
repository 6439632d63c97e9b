import { addRollups, rebuildRollups } from '../../backends/store/gateway/green-rollups.js';
import {
  addGreenTraces,
  type GreenTraceRow,
  greenTracesOfDay,
  type NewGreenTrace,
  updateGreenTrace,
} from '../../backends/store/gateway/green-traces.js';
import type { Store, WriteScope } from '../../backends/store/scope.js';
import { mapInSlices } from '../../core/async/slices.js';
import type { CallRecord } from '../telemetry-intake/records.js';
import { type AccountingTables, emissionsOf } from './accounting/emissions.js';
import { rollupsOf } from './accounting/rollup.js';
import { type CarbonTrace, DAY_MS, type Emissions } from './carbon-types.js';

/** Writes calls with their emissions and adds them to the sums of their days; returns the rows. */
export async function recordCalls(
  { db }: WriteScope,
  calls: readonly CallRecord[],
  tables: AccountingTables,
): Promise<NewGreenTrace[]> {
  const rows = await mapInSlices(calls, (call) => traceRow(call, emissionsOf(call, tables)));
  await addGreenTraces(db, rows);
  await addRollups(db, await rollupsOf(rows));
  return rows;
}

function traceRow(call: CallRecord, emissions: Emissions): NewGreenTrace {
  return {
    traceId: call.traceId,
    runId: call.runId,
    sessionId: call.sessionId ?? null,
    timestamp: call.timestamp,
    provider: call.provider,
    model: call.model,
    inputTokens: call.inputTokens,
    outputTokens: call.outputTokens,
    cacheReadTokens: call.cacheReadTokens,
    costUsd: call.costUsd ?? null,
    region: call.region ?? null,
    ...computed(emissions),
  };
}

/** Returns the columns that a factor table determines. */
function computed({ regionGridCarbon, ...emissions }: Emissions): Omit<Emissions, 'regionGridCarbon'> & {
  regionGridCarbon: number | null;
} {
  return { ...emissions, regionGridCarbon: regionGridCarbon ?? null };
}

type Mutable<T> = { -readonly [Name in keyof T]: T[Name] };

/** Returns a row as the API shows it. */
export function carbonTrace(row: GreenTraceRow): CarbonTrace {
  const { sessionId, region, regionGridCarbon, costUsd } = row;
  // Member by member: an export makes a hundred thousand of them, and a rest and spreads take ten times as long.
  const trace: Mutable<CarbonTrace> = {
    traceId: row.traceId,
    runId: row.runId,
    timestamp: row.timestamp,
    provider: row.provider,
    model: row.model,
    inputTokens: row.inputTokens,
    outputTokens: row.outputTokens,
    cacheReadTokens: row.cacheReadTokens,
    inputCo2Grams: row.inputCo2Grams,
    outputCo2Grams: row.outputCo2Grams,
    cacheCo2Grams: row.cacheCo2Grams,
    totalCo2Grams: row.totalCo2Grams,
    waterMl: row.waterMl,
    confidence: row.confidence,
    gridCarbonUsed: row.gridCarbonUsed,
    calculationMethod: row.calculationMethod as CarbonTrace['calculationMethod'],
    dataQualityScore: row.dataQualityScore,
    factorId: row.factorId,
    factorSource: row.factorSource as CarbonTrace['factorSource'],
    scope: 3,
    category: 1,
  };
  if (sessionId !== null) trace.sessionId = sessionId;
  if (region !== null) trace.region = region;
  if (regionGridCarbon !== null) trace.regionGridCarbon = regionGridCarbon;
  if (costUsd !== null) trace.costUsd = costUsd;
  return trace;
}

const SLICE = 1000;

/**
 * Computes the traces of a day anew from their tokens and counts the day again, in one transaction. A day in which
 * nothing changed is left as it is. Returns how many traces there are and how many changed.
 */
export async function recomputeDay(
  store: Store,
  day: number,
  tables: AccountingTables,
): Promise<{ traces: number; changed: number }> {
  return store.write(async ({ db }) => {
    let traces = 0;
    let changed = 0;
    for (let after = 0; ; ) {
      const rows = await greenTracesOfDay(db, { since: day * DAY_MS, until: (day + 1) * DAY_MS, after, limit: SLICE });
      for (const row of rows) {
        const usage = { ...row, costUsd: row.costUsd ?? undefined, region: row.region ?? undefined };
        const values = computed(emissionsOf(usage, tables));
        const same = Object.entries(values).every(([name, value]) => row[name as keyof GreenTraceRow] === value);
        if (same) continue;
        changed += 1;
        await updateGreenTrace(db, row.id, values);
      }
      traces += rows.length;
      if (rows.length < SLICE) break;
      after = rows.at(-1)!.id;
    }
    if (changed > 0) await rebuildRollups(db, day);
    return { traces, changed };
  });
}
