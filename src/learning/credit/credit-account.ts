import type { Kysely } from 'kysely';
import {
  type CreditShares,
  type ItemShares,
  putCredit,
  takeCredit,
  UNKNOWN_ITEM,
} from '../../backends/store/learning/interoception-credit.js';
import { deleteArms, idleArms, shiftArms, unshiftArm } from '../../backends/store/learning/learning-arms.js';
import {
  finishDeletion,
  growPartition,
  startDeletion,
  touchPartition,
} from '../../backends/store/learning/learning-partitions.js';
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
  { query_id, source, shares, now }: { query_id: string; source: string; shares: ItemShares; now: number },
): Promise<void> {
  const before = await takeCredit(db, { query_id, source });
  const sums = summed(shares);
  const ids = Object.keys(sums).sort();
  if (before === undefined && ids.length === 0) return;
  const { version } = await touchPartition(db, CREDIT, { context: '{}', arms: true });
  for (const [arm_id, [alpha, beta]] of entriesOf(summed(before?.shares ?? {}))) {
    const applied = before!.version;
    await unshiftArm(db, CREDIT, { arm_id, alpha, beta, pulls: 1, applied, version, now, floor: FLOOR });
  }
  if (ids.length === 0) return;
  const shifts = ids.map((arm_id) => ({ arm_id, alpha: sums[arm_id]![0], beta: sums[arm_id]![1], prior: PRIOR }));
  const rows = await shiftArms(db, CREDIT, { shifts, version, now, floor: FLOOR });
  const fresh = rows.filter((row) => row.born === version).length;
  if (fresh > 0) await growPartition(db, CREDIT, { arms: fresh });
  await putCredit(db, { query_id, source }, { version, shares });
}

/** One rating of one item. */
interface Rating {
  readonly query_id: string;
  readonly source: string;
  readonly item_id: string;
}

/**
 * Takes back what these ratings gave to any node, inside the caller's transaction; nodes that nothing else gave credit
 * lose their arm. Credit that was given before it was kept by item is taken back whole.
 */
export async function withdrawCredit(db: Kysely<Database>, ratings: readonly Rating[], now: number): Promise<void> {
  const feedbacks = new Map<string, { query_id: string; source: string; items: Set<string> }>();
  for (const { query_id, source, item_id } of ratings) {
    const name = `${query_id}\0${source}`;
    const known = feedbacks.get(name);
    if (known !== undefined) known.items.add(item_id);
    else feedbacks.set(name, { query_id, source, items: new Set([UNKNOWN_ITEM, item_id]) });
  }
  const changed = new Set<string>();
  let version: number | undefined;
  for (const { items, ...feedback } of feedbacks.values()) {
    const given = await takeCredit(db, feedback);
    if (given === undefined) continue;
    const part = (keep: boolean): ItemShares =>
      Object.fromEntries(Object.entries(given.shares).filter(([item]) => items.has(item) !== keep));
    const kept = part(true);
    if (Object.keys(kept).length > 0) await putCredit(db, feedback, { version: given.version, shares: kept });
    const stillPulled = summed(kept);
    version ??= (await touchPartition(db, CREDIT, { context: '{}', arms: true })).version;
    for (const [arm_id, [alpha, beta]] of entriesOf(summed(part(false)))) {
      const pulls = Object.hasOwn(stillPulled, arm_id) ? 0 : 1;
      await unshiftArm(db, CREDIT, { arm_id, alpha, beta, pulls, applied: given.version, version, now, floor: FLOOR });
      changed.add(arm_id);
    }
  }
  await deleteCredit(db, await idleArms(db, CREDIT, [...changed]));
}

/** Deletes the credit of these nodes, whatever gave it; of all nodes where none are named. */
export async function deleteCredit(db: Kysely<Database>, ids?: readonly string[]): Promise<void> {
  if (ids?.length === 0) return;
  await startDeletion(db, CREDIT.learner, CREDIT.key);
  await deleteArms(db, { ...CREDIT, ids });
  await finishDeletion(db, CREDIT.learner, { key: CREDIT.key, everything: false });
}

/** Returns the sums by arm of what the items gave. */
function summed(shares: ItemShares): CreditShares {
  const sums: Record<string, readonly [number, number]> = {};
  for (const item of Object.values(shares)) {
    for (const [arm, [alpha, beta]] of Object.entries(item)) {
      const known = sums[arm] ?? [0, 0];
      sums[arm] = [known[0] + alpha, known[1] + beta];
    }
  }
  return sums;
}

/** Returns the shares in the order of their arms. */
function entriesOf(shares: CreditShares): Array<[string, readonly [number, number]]> {
  return Object.entries(shares).sort(([a], [b]) => (a < b ? -1 : 1));
}
