import { createHash, randomUUID } from 'node:crypto';
import type { RemoteLearner } from '../../backends/remote-learner/port.js';
import { addCounters } from '../../backends/store/gateway/intake-keys.js';
import { notedArms, noteMeans } from '../../backends/store/gateway/means.js';
import { addReward, completeReward, pendingRewards } from '../../backends/store/gateway/rewards.js';
import { completeRun, noteTaught, pendingRuns, type RunRow } from '../../backends/store/gateway/runs.js';
import type { Store, WriteScope } from '../../backends/store/scope.js';
import { SvcError } from '../../core/errors.js';
import type { GatewayLearner } from './gateway-learner.js';
import { lessonChanges, lessonOf, taughtOf } from './lesson.js';
import type { ArmRecord } from './posteriors.js';

const BATCH = 100;
/** Rewards by hand whose failure is remembered. */
const MOST_FAILED = 1000;

/** Counter of lessons that the other service refused. */
export const REFUSED_LESSONS = 'lessons_refused';

/**
 * Makes a learner whose posteriors lie at another service. What a run teaches is sent once, when no further part of it
 * arrived for half a minute; an arm that is referenced only later keeps the lesson it taught. What was sent is noted
 * arm by arm, and carries a key by which the other service recognises it: a process killed between the two sends it
 * again, and it counts once. A lesson that the other service refuses is counted, reported to `warn`, and never sent again.
 */
export function remoteLearner(store: Store, remote: RemoteLearner, warn: (message: string) => void): GatewayLearner {
  /** Keys of rewards by hand that failed: the answer may have been lost, so the same reward again carries the same key. */
  const failed = new Map<string, string>();

  /** Returns the arm's mean afterwards; undefined where the service refuses the lesson. */
  const observed = async (armId: string, reward: number, key: string): Promise<number | undefined> => {
    try {
      return await remote.observe(armId, reward, key);
    } catch (error) {
      if (!(error instanceof SvcError) || error.code !== 'conflict') throw error;
      warn(`${error.message} The lesson of the arm ${JSON.stringify(armId)} is dropped.`);
      return undefined;
    }
  };
  /** Notes in the caller's transaction what became of a lesson. */
  const noteOutcome = async (
    { db }: WriteScope,
    { armId, mean, now }: { readonly armId: string; readonly mean: number | undefined; readonly now: number },
  ): Promise<void> => {
    if (mean === undefined) await addCounters(db, { [REFUSED_LESSONS]: 1 });
    else await noteMeans(db, [{ armId, mean }], now);
  };

  async function flushRun(run: RunRow, now: number): Promise<void> {
    const taught = { ...taughtOf(run.taught) };
    for (const { armId, reward, before } of lessonChanges(taught, lessonOf(run))) {
      if (before !== undefined) continue;
      const mean = await observed(armId, reward, keyOf('run', run.id, run.runId, run.receivedAt, armId));
      taught[armId] = [reward, 0];
      await store.write(async (scope) => {
        await noteTaught(scope.db, run.id, JSON.stringify(taught));
        await noteOutcome(scope, { armId, mean, now });
      });
    }
    await store.write(({ db }) => completeRun(db, run));
  }

  async function flushRewards(now: number): Promise<number> {
    const rewards = await pendingRewards(store.db, BATCH);
    for (const { id, armId, reward, at } of rewards) {
      const mean = await observed(armId, reward, keyOf('reward', id, at, armId));
      await store.write(async (scope) => {
        await completeReward(scope.db, id);
        await noteOutcome(scope, { armId, mean, now });
      });
    }
    return rewards.length;
  }

  return {
    remote: true,
    arms: async () => {
      const arms = new Map<string, ArmRecord>(await remote.posteriors());
      // An arm that was reset has no row at the other service any more.
      for (const armId of await notedArms(store.db)) {
        if (!arms.has(armId)) arms.set(armId, { alpha: 1, beta: 1, pulls: 0, lastUpdated: 0 });
      }
      return arms;
    },
    reward: async (given) => {
      const what = JSON.stringify([given.armId, given.reward, given.outcome, given.reason]);
      const key = failed.get(what) ?? randomUUID();
      if (failed.size >= MOST_FAILED) failed.delete(failed.keys().next().value!);
      try {
        const mean = await remote.observe(given.armId, given.reward, key);
        await store.write(async ({ db }) => {
          await noteMeans(db, [{ armId: given.armId, mean }], given.at);
          await addReward(db, given);
        });
        failed.delete(what);
      } catch (error) {
        failed.set(what, key);
        throw error;
      }
    },
    reset: async (armIds, now) => {
      await remote.reset(armIds);
      await store.write(({ db }) =>
        noteMeans(
          db,
          armIds.map((armId) => ({ armId, mean: 0.5 })),
          now,
        ),
      );
    },
    flush: async (now) => {
      const rewards = await flushRewards(now);
      const runs = await pendingRuns(store.db, now, BATCH);
      for (const run of runs) await flushRun(run, now);
      return rewards + runs.length;
    },
  };
}

/** Returns the key of one lesson: the same whenever it is sent, and of no other lesson, also of another gateway. */
function keyOf(...parts: ReadonlyArray<string | number>): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 40);
}
