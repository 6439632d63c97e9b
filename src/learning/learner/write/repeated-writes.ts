import { readArm } from '../../../backends/store/learning/learning-arms.js';
import { claimObservationKeys, releaseObservationKeys } from '../../../backends/store/learning/observation-keys.js';
import type { WriteScope } from '../../../backends/store/scope.js';
import type { LearnerWrite, WrittenArms } from './learner-write.js';
import type { WriteResult } from './write-batcher.js';

export interface RepeatedWrites {
  readonly writes: readonly LearnerWrite[];
  /** Indexes of the calls that were recorded before. */
  readonly repeated: ReadonlySet<number>;
  readonly results: Array<WriteResult<WrittenArms>>;
}

/** Claims the idempotency keys of calls; returns the indexes of those that were recorded before, also in this batch. */
export async function repeatedWrites({ db }: WriteScope, writes: readonly LearnerWrite[]): Promise<Set<number>> {
  const repeated = new Set<number>();
  for (const [learner, indexes] of byLearner(writes)) {
    const at = Math.max(...indexes.map((index) => writes[index]!.now));
    const keys = indexes.map((index) => writes[index]!.idempotencyKey!);
    const fresh = await claimObservationKeys(db, learner, { keys, at });
    // Deleting makes every further call with the key a repetition.
    for (const index of indexes) if (!fresh.delete(writes[index]!.idempotencyKey!)) repeated.add(index);
  }
  return repeated;
}

/** Answers repeated calls with their arm as it is now, and forgets the keys of calls that were refused. */
export async function answerRepeated({ db }: WriteScope, { writes, repeated, results }: RepeatedWrites): Promise<void> {
  for (const index of repeated) {
    const { learner, key, observed, priorOf, now } = writes[index]!;
    const { arm_id } = observed[0]!;
    const row = await readArm(db, { learner, key }, arm_id);
    results[index] = { value: [row ?? { arm_id, ...priorOf(arm_id), pulls: 0, total_reward: 0, updated_at: now }] };
  }
  for (const [learner, indexes] of byLearner(writes)) {
    const refused = indexes.filter((index) => !repeated.has(index) && 'error' in results[index]!);
    const keys = refused.map((index) => writes[index]!.idempotencyKey!);
    if (keys.length > 0) await releaseObservationKeys(db, learner, keys);
  }
}

/** Returns the indexes of the calls that carry a key, by learner, in name order. */
function byLearner(writes: readonly LearnerWrite[]): Array<[string, number[]]> {
  const groups = new Map<string, number[]>();
  for (const [index, { learner, idempotencyKey }] of writes.entries()) {
    if (idempotencyKey === undefined) continue;
    const group = groups.get(learner);
    if (group === undefined) groups.set(learner, [index]);
    else group.push(index);
  }
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1));
}
