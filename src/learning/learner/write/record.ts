import { type ArmRow, incrementArms, knownArms } from '../../../backends/store/learning/learning-arms.js';
import { addObservations, addSelections } from '../../../backends/store/learning/learning-log.js';
import {
  growPartition,
  type PartitionRef,
  touchPartition,
} from '../../../backends/store/learning/learning-partitions.js';
import {
  addSessionEvents,
  openSessions,
  type SessionEvent,
} from '../../../backends/store/learning/learning-sessions.js';
import type { WriteScope } from '../../../backends/store/scope.js';
import { SvcError } from '../../../core/errors.js';
import type { LearnerWrite, WrittenArms } from './learner-write.js';
import { answerRepeated, type RepeatedWrites, repeatedWrites } from './repeated-writes.js';
import type { WriteResult } from './write-batcher.js';

/** Writes a batch of calls: a fixed number of statements per partition, however many calls there are. */
export async function recordWrites(
  scope: WriteScope,
  writes: readonly LearnerWrite[],
): Promise<ReadonlyArray<WriteResult<WrittenArms>>> {
  const results: Array<WriteResult<WrittenArms>> = writes.map(() => ({ value: [] }));
  const groups = new Map<string, number[]>();
  const repeated = await repeatedWrites(scope, writes);
  for (const [index, write] of writes.entries()) {
    if (repeated.has(index)) continue;
    const name = `${write.learner}\0${write.key}`;
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [index]);
    else group.push(index);
  }
  // In name order, so that two replicas never wait for each other's partitions.
  for (const [, indexes] of [...groups].sort(([a], [b]) => (a < b ? -1 : 1))) {
    await recordPartition(scope, { writes, indexes, results });
  }
  await answerRepeated(scope, { writes, repeated, results });
  await recordSessions(scope, { writes, repeated, results });
  return results;
}

interface PartitionWrites {
  readonly writes: readonly LearnerWrite[];
  readonly indexes: readonly number[];
  readonly results: Array<WriteResult<WrittenArms>>;
}

async function recordPartition({ db }: WriteScope, group: PartitionWrites): Promise<void> {
  const all = group.indexes.map((index) => group.writes[index]!);
  const first = all[0]!;
  const ref: PartitionRef = { learner: first.learner, key: first.key };
  const observations = sum(all, (write) => write.observed.length);
  const partition = await touchPartition(db, ref, {
    context: first.context,
    arms: observations > 0,
    observations,
    selections: sum(all, (write) => (write.selected === undefined ? 0 : 1)),
    baselineSelections: sum(all, (write) => (write.selected?.isBaseline === true ? 1 : 0)),
  });
  if (observations > 0) await recordObserved(db, { ...group, ref, partition });
  const counted = await recordSelected(db, { all, ref, counted: partition.counted, max: first.config.max_arms });
  if (counted > 0) await growPartition(db, ref, { counted });
}

async function recordObserved(
  db: WriteScope['db'],
  {
    writes,
    indexes,
    results,
    ref,
    partition,
  }: PartitionWrites & { ref: PartitionRef; partition: { version: number; arms: number } },
): Promise<void> {
  const accepted = await withinCap(db, { writes, indexes, results, ref, arms: partition.arms });
  const sums = new Map<string, { pulls: number; reward: number }>();
  for (const { observed } of accepted) {
    for (const { arm_id, reward } of observed) {
      const arm = sums.get(arm_id);
      if (arm === undefined) sums.set(arm_id, { pulls: 1, reward });
      else {
        arm.pulls += 1;
        arm.reward += reward;
      }
    }
  }
  if (sums.size === 0) return;
  const now = Math.max(...accepted.map((write) => write.now));
  const { priorOf } = accepted[0]!;
  const rows = await incrementArms(db, ref, {
    increments: [...sums]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([arm_id, arm]) => ({ arm_id, ...arm, ...priorOf(arm_id) })),
    version: partition.version,
    now,
  });
  const fresh = rows.filter((row) => row.born === partition.version).length;
  if (fresh > 0) await growPartition(db, ref, { arms: fresh });
  await addObservations(
    db,
    accepted.flatMap((write) =>
      write.observed.map((arm) => ({ learner: ref.learner, context_key: ref.key, ...arm, at: write.now })),
    ),
  );
  answerBackward(new Map(rows.map((row) => [row.arm_id, row])), { writes, indexes, results });
}

/** Gives each call the state right after its own observation: the last state less what came after it in the batch. */
function answerBackward(states: Map<string, ArmRow>, { writes, indexes, results }: PartitionWrites): void {
  for (const index of [...indexes].reverse()) {
    if ('error' in results[index]!) continue;
    const answers: ArmRow[] = [];
    for (const { arm_id, reward } of [...writes[index]!.observed].reverse()) {
      const { alpha, beta, pulls, total_reward, updated_at } = states.get(arm_id)!;
      answers.push({ arm_id, alpha, beta, pulls, total_reward, updated_at });
      states.set(arm_id, {
        arm_id,
        alpha: alpha - reward,
        beta: beta - (1 - reward),
        pulls: pulls - 1,
        total_reward: total_reward - reward,
        updated_at,
      });
    }
    results[index] = { value: answers.reverse() };
  }
}

/** Returns the calls whose new arms have room; the others are answered with `conflict`, in order of arrival. */
async function withinCap(
  db: WriteScope['db'],
  { writes, indexes, results, ref, arms }: PartitionWrites & { ref: PartitionRef; arms: number },
): Promise<LearnerWrite[]> {
  const observing = indexes.filter((index) => writes[index]!.observed.length > 0);
  const max = writes[indexes[0]!]!.config.max_arms;
  const ids = [...new Set(observing.flatMap((index) => writes[index]!.observed.map((arm) => arm.arm_id)))];
  if (arms + ids.length <= max) return observing.map((index) => writes[index]!);
  const known = await knownArms(db, 'learner_arm', { ...ref, ids });
  const accepted: LearnerWrite[] = [];
  let room = max - arms;
  for (const index of observing) {
    const write = writes[index]!;
    const fresh = new Set(write.observed.map((arm) => arm.arm_id).filter((id) => !known.has(id)));
    if (fresh.size > room) {
      results[index] = { error: tooManyArms(ref.learner, max) };
      continue;
    }
    room -= fresh.size;
    for (const id of fresh) known.add(id);
    accepted.push(write);
  }
  return accepted;
}

/** Returns the error for an arm beyond `max_arms`. */
export function tooManyArms(learner: string, max: number): SvcError {
  return new SvcError(
    'conflict',
    `Learner ${learner} tracks ${max} arms in this context already; raise max_arms or reset arms that are no longer used.`,
    { max_arms: max },
  );
}

/** Counts selections by arm; arms beyond `max` are left out of the count by arm, never out of the totals. */
async function recordSelected(
  db: WriteScope['db'],
  { all, ref, counted, max }: { all: readonly LearnerWrite[]; ref: PartitionRef; counted: number; max: number },
): Promise<number> {
  const counts = new Map<string, number>();
  for (const { selected } of all) for (const arm of selected?.arms ?? []) counts.set(arm, (counts.get(arm) ?? 0) + 1);
  if (counts.size === 0) return 0;
  if (counted + counts.size > max) {
    const known = await knownArms(db, 'learner_selection', { ...ref, ids: [...counts.keys()] });
    let room = max - counted;
    for (const arm of [...counts.keys()]) {
      if (known.has(arm)) continue;
      if (room > 0) room -= 1;
      else counts.delete(arm);
    }
  }
  return addSelections(db, ref, new Map([...counts].sort(([a], [b]) => (a < b ? -1 : 1))));
}

/** Notes the calls in the sessions that are open for their learners. */
async function recordSessions({ db }: WriteScope, { writes, repeated, results }: RepeatedWrites): Promise<void> {
  const open = await openSessions(db, [...new Set(writes.map((write) => write.learner))].sort());
  if (open.size === 0) return;
  const events: SessionEvent[] = [];
  for (const [index, write] of writes.entries()) {
    if (repeated.has(index) || 'error' in results[index]!) continue;
    for (const session_id of open.get(write.learner) ?? []) {
      for (const arm_id of write.selected?.arms ?? []) {
        events.push({ session_id, kind: 'select', arm_id, payload: '{}' });
      }
      for (const { arm_id, reward, outcome } of write.observed) {
        const payload = JSON.stringify({ reward, outcome, context: JSON.parse(write.context) as unknown });
        events.push({ session_id, kind: 'observe', arm_id, payload });
      }
    }
  }
  if (events.length > 0) await addSessionEvents(db, events);
}

function sum<T>(items: readonly T[], value: (item: T) => number): number {
  return items.reduce((total, item) => total + value(item), 0);
}
