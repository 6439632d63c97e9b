import { noteMeans } from '../../backends/store/gateway/means.js';
import { incrementArms, knownArms } from '../../backends/store/learning/learning-arms.js';
import { addObservations } from '../../backends/store/learning/learning-log.js';
import { growPartition, type PartitionRef, touchPartition } from '../../backends/store/learning/learning-partitions.js';
import type { WriteScope } from '../../backends/store/scope.js';
import { anyOf } from '../../backends/store/sql.js';
import { GATEWAY_LEARNER } from './learning-settings.js';
import type { LessonChange } from './lesson.js';

type Db = WriteScope['db'];

/** Arms of the gateway always count in the default context. */
export const GATEWAY_PARTITION: PartitionRef = { learner: GATEWAY_LEARNER, key: 'default' };
/** Arms that the learner tracks at most; what a run reports of others is kept with the run and teaches nothing. */
export const MAX_ARMS = 10_000;
const PRIOR = { alpha: 1, beta: 1 };

/**
 * Applies changes to the posteriors in the caller's transaction; returns those that were applied and the version under
 * which. A change of a lesson that a reset erased, and an arm beyond the cap, are left out.
 */
export async function teach(
  db: Db,
  changes: readonly LessonChange[],
  now: number,
): Promise<{ applied: LessonChange[]; version: number }> {
  if (changes.length === 0) return { applied: [], version: 0 };
  const fresh = changes.filter((change) => change.before === undefined);
  const partition = await touchPartition(db, GATEWAY_PARTITION, {
    context: '{}',
    arms: true,
    observations: fresh.length,
  });
  const applied = await applicable(db, changes, partition.arms);
  const sums = new Map<string, { pulls: number; reward: number }>();
  for (const { armId, pulls, reward } of applied) {
    const known = sums.get(armId) ?? { pulls: 0, reward: 0 };
    sums.set(armId, { pulls: known.pulls + pulls, reward: known.reward + reward });
  }
  const rows = await incrementArms(db, GATEWAY_PARTITION, {
    increments: [...sums]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([arm_id, { pulls, reward }]) => ({ arm_id, pulls, reward, ...PRIOR })),
    version: partition.version,
    now,
  });
  const born = rows.filter((row) => row.born === partition.version).length;
  if (born > 0) await growPartition(db, GATEWAY_PARTITION, { arms: born });
  const observations = applied
    .filter((change) => change.before === undefined)
    .map(({ armId, reward }) => ({
      learner: GATEWAY_LEARNER,
      context_key: GATEWAY_PARTITION.key,
      arm_id: armId,
      reward,
      outcome: null,
      at: now,
    }));
  if (observations.length > 0) await addObservations(db, observations);
  await noteMeans(
    db,
    rows.map((row) => ({ armId: row.arm_id, mean: row.alpha / (row.alpha + row.beta) })),
    now,
  );
  return { applied, version: partition.version };
}

async function applicable(db: Db, changes: readonly LessonChange[], arms: number): Promise<LessonChange[]> {
  const corrected = changes.filter((change) => change.before !== undefined).map(({ armId }) => armId);
  const born = await bornOf(db, corrected);
  const ids = [...new Set(changes.map(({ armId }) => armId))];
  const known =
    arms + ids.length <= MAX_ARMS ? undefined : await knownArms(db, 'learner_arm', { ...GATEWAY_PARTITION, ids });
  let room = MAX_ARMS - arms;
  return changes.filter(({ armId, before }) => {
    if (before !== undefined) {
      const since = born.get(armId);
      return since !== undefined && since <= before[1];
    }
    if (known === undefined || known.has(armId)) return true;
    if (room <= 0) return false;
    room -= 1;
    known.add(armId);
    return true;
  });
}

/** Returns the version in which each arm's row was made; a reset makes the row anew. */
async function bornOf(db: Db, ids: readonly string[]): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('learner_arm')
    .select(['arm_id', 'born'])
    .where('learner', '=', GATEWAY_PARTITION.learner)
    .where('context_key', '=', GATEWAY_PARTITION.key)
    .where(anyOf(db, 'arm_id', [...new Set(ids)]))
    .execute();
  return new Map(rows.map(({ arm_id, born }) => [arm_id, born]));
}

/** Sets arms back to Beta(1, 1), with rows of their own: what runs taught before is not taken back from them later. */
export async function resetArms(db: Db, armIds: readonly string[], now: number): Promise<void> {
  if (armIds.length === 0) return;
  const partition = await touchPartition(db, GATEWAY_PARTITION, { context: '{}', arms: true });
  await db
    .updateTable('learner_arm')
    .set({
      alpha: PRIOR.alpha,
      beta: PRIOR.beta,
      pulls: 0,
      total_reward: 0,
      updated_at: now,
      version: partition.version,
      born: partition.version,
    })
    .where('learner', '=', GATEWAY_PARTITION.learner)
    .where('context_key', '=', GATEWAY_PARTITION.key)
    .where(anyOf(db, 'arm_id', armIds))
    .execute();
  await noteMeans(
    db,
    armIds.map((armId) => ({ armId, mean: 0.5 })),
    now,
  );
}
