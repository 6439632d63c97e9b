import { lastObservation, pruneObservations } from '../../backends/store/learning/learning-log.js';
import { pruneSessions } from '../../backends/store/learning/learning-sessions.js';
import { pruneObservationKeys } from '../../backends/store/learning/observation-keys.js';
import type { Store } from '../../backends/store/scope.js';

export interface Retention {
  /** Days after which rows are deleted; default 90. */
  readonly maxAgeDays: number;
  /** Number of newest rows that stay; default 1,000,000. */
  readonly maxRows: number;
}

export const RETENTION: Retention = { maxAgeDays: 90, maxRows: 1_000_000 };
export const DAY_MS = 86_400_000;
const SLICE = 2000;

/**
 * Deletes observations, their keys and sessions beyond the bounds, one slice per transaction; posteriors stay. Returns how many
 * were deleted.
 */
export async function pruneLearning(store: Store, now: number, retention: Retention = RETENTION): Promise<number> {
  const before = now - retention.maxAgeDays * DAY_MS;
  const upTo = (await lastObservation(store.db)) - retention.maxRows;
  let pruned = 0;
  for (;;) {
    const deleted = await store.write(({ db }) => pruneObservations(db, { before, upTo, limit: SLICE }));
    pruned += deleted;
    if (deleted < SLICE) break;
  }
  while ((await store.write(({ db }) => pruneObservationKeys(db, before, SLICE))) === SLICE);
  while ((await store.write(({ db }) => pruneSessions(db, before, 200))) === 200);
  return pruned;
}
