import { claimKeys, knownKeys } from '../../backends/store/gateway/intake-keys.js';
import type { WriteScope } from '../../backends/store/scope.js';
import { forEachInSlices } from '../../core/async/slices.js';
import type { IntakeBatch } from './records.js';

/** Keys that came for the first time: of calls, and of runs and rewards. */
export interface FreshKeys {
  readonly calls: ReadonlySet<string>;
  readonly others: ReadonlySet<string>;
}

/** The key of a record that is a call and a part of a run, of which only the part of the run was taken. */
const runOnly = (key: string): string => `run-only:${key}`;

/**
 * Claims the keys of batches and returns those that are new. While calls are not recorded their keys are not claimed, so that
 * the same telemetry sent again later brings them; the parts of runs that share a key with a call count once all the same.
 */
export async function claimBatches(
  db: WriteScope['db'],
  batches: readonly IntakeBatch[],
  { recordsCalls, now }: { readonly recordsCalls: boolean; readonly now: number },
): Promise<FreshKeys> {
  const calls = new Set<string>();
  const others: string[] = [];
  for (const batch of batches) {
    await forEachInSlices(batch.calls, ({ key }) => calls.add(key));
    await forEachInSlices(batch.runs, ({ key }) => others.push(key));
    await forEachInSlices(batch.rewards, ({ key }) => others.push(key));
  }
  const shared = others.filter((key) => calls.has(key));
  if (recordsCalls) {
    const fresh = await claimKeys(db, [...calls, ...others], now);
    const halves = await knownKeys(db, shared.filter((key) => fresh.has(key)).map(runOnly));
    return { calls: fresh, others: new Set(others.filter((key) => fresh.has(key) && !halves.has(runOnly(key)))) };
  }
  const known = await knownKeys(db, shared);
  const nameOf = (key: string): string => (calls.has(key) ? runOnly(key) : key);
  const wanted = others.filter((key) => !known.has(key));
  const fresh = await claimKeys(db, wanted.map(nameOf), now);
  return { calls: new Set(), others: new Set(wanted.filter((key) => fresh.has(nameOf(key)))) };
}
