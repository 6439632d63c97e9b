import type { Kysely } from 'kysely';
import { type CreditShares, putCredit, takeCredit } from '../../backends/store/learning/interoception-credit.js';
import { shiftArms, unshiftArm } from '../../backends/store/learning/learning-arms.js';
import { growPartition, touchPartition } from '../../backends/store/learning/learning-partitions.js';
import type { Database } from '../../backends/store/schema.js';
import { FLOOR } from '../learner/learner-config.js';

/** The learner that holds credit, in its default context. */
export const CREDIT = { learner: 'credit', key: 'default' } as const;
const PRIOR = { alpha: 1, beta: 1 };

/**
 * Undoes the credit that this feedback gave before and adds the new shares, inside the caller's transaction. Arms that
 * were reset in between keep their reset: a share is taken back only from the row that it was given to.
 */
export async function replaceCredit(
  db: Kysely<Database>,
  { query_id, source, shares, now }: { query_id: string; source: string; shares: CreditShares; now: number },
): Promise<void> {
  const before = await takeCredit(db, { query_id, source });
  const ids = Object.keys(shares).sort();
  if (before === undefined && ids.length === 0) return;
  const { version } = await touchPartition(db, CREDIT, { context: '{}', arms: true });
  for (const [arm_id, [alpha, beta]] of Object.entries(before?.deltas ?? {}).sort(([a], [b]) => (a < b ? -1 : 1))) {
    await unshiftArm(db, CREDIT, { arm_id, alpha, beta, applied: before!.version, version, now, floor: FLOOR });
  }
  if (ids.length === 0) return;
  const shifts = ids.map((arm_id) => ({ arm_id, alpha: shares[arm_id]![0], beta: shares[arm_id]![1], prior: PRIOR }));
  const rows = await shiftArms(db, CREDIT, { shifts, version, now, floor: FLOOR });
  const fresh = rows.filter((row) => row.born === version).length;
  if (fresh > 0) await growPartition(db, CREDIT, { arms: fresh });
  await putCredit(db, { query_id, source }, { version, deltas: shares });
}
