import type { RemoteLearner } from '../../backends/remote-learner/port.js';
import { addCounters } from '../../backends/store/gateway/intake-keys.js';
import { addReward, notedArms, noteMeans } from '../../backends/store/gateway/means.js';
import { completeRun, noteTaught, pendingRuns } from '../../backends/store/gateway/runs.js';
import { readArms } from '../../backends/store/learning/learning-arms.js';
import type { Store } from '../../backends/store/scope.js';
import { SvcError } from '../../core/errors.js';
import { lessonChanges, lessonOf, taughtOf } from './lesson.js';
import type { ArmRecord } from './posteriors.js';
import { GATEWAY_PARTITION, resetArms, teach } from './teach.js';

/** The learner of the gateway, in this process or at another service. Calls throw `unavailable` where it does not answer. */
export interface GatewayLearner {
  readonly remote: boolean;
  /** Returns the arms that are known, by id. */
  arms(): Promise<Map<string, ArmRecord>>;
  /** Records one reward given by hand. */
  reward(reward: {
    readonly armId: string;
    readonly reward: number;
    readonly outcome: string;
    readonly reason: string | null;
    readonly at: number;
  }): Promise<void>;
  /** Sets arms back to Beta(1, 1). */
  reset(armIds: readonly string[], now: number): Promise<void>;
  /** Passes on lessons that wait; returns how many runs were finished. */
  flush(now: number): Promise<number>;
}

/** Makes a learner whose posteriors lie in the service's own store. */
export function localLearner(store: Store): GatewayLearner {
  return {
    remote: false,
    arms: async () => {
      const rows = await readArms(store.db, GATEWAY_PARTITION, -1);
      return new Map(
        rows.map(({ arm_id, alpha, beta, pulls, updated_at }) => [
          arm_id,
          { alpha, beta, pulls, lastUpdated: updated_at },
        ]),
      );
    },
    reward: (given) =>
      store.write(async ({ db }) => {
        await teach(db, [{ armId: given.armId, pulls: 1, reward: given.reward }], given.at);
        await addReward(db, given);
      }),
    reset: (armIds, now) => store.write(({ db }) => resetArms(db, armIds, now)),
    flush: () => Promise.resolve(0),
  };
}

const BATCH = 100;

/** Counter of lessons that the other service refused. */
export const REFUSED_LESSONS = 'lessons_refused';

/**
 * Makes a learner whose posteriors lie at another service. What a run teaches is sent once, when no further part of it arrived for half a minute;
 * an arm that is referenced only later keeps the lesson it taught. What was sent is noted arm by arm, so that a failure of one arm does not send
 * those before it again. A lesson that the other service refuses is counted, reported to `warn`, and never sent again.
 */
export function remoteLearner(store: Store, remote: RemoteLearner, warn: (message: string) => void): GatewayLearner {
  /** Returns the arm's mean afterwards; undefined where the service refuses the lesson. */
  const observed = async (armId: string, reward: number): Promise<number | undefined> => {
    try {
      return await remote.observe(armId, reward);
    } catch (error) {
      if (!(error instanceof SvcError) || error.code !== 'conflict') throw error;
      warn(`${error.message} The lesson of the arm ${JSON.stringify(armId)} is dropped.`);
      return undefined;
    }
  };
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
      const mean = await remote.observe(given.armId, given.reward);
      await store.write(async ({ db }) => {
        await noteMeans(db, [{ armId: given.armId, mean }], given.at);
        await addReward(db, given);
      });
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
      const runs = await pendingRuns(store.db, now, BATCH);
      for (const run of runs) {
        const taught = { ...taughtOf(run.taught) };
        for (const { armId, reward, before } of lessonChanges(taught, lessonOf(run))) {
          if (before !== undefined) continue;
          const mean = await observed(armId, reward);
          taught[armId] = [reward, 0];
          await store.write(async ({ db }) => {
            await noteTaught(db, run.id, JSON.stringify(taught));
            if (mean === undefined) await addCounters(db, { [REFUSED_LESSONS]: 1 });
            else await noteMeans(db, [{ armId, mean }], now);
          });
        }
        await store.write(({ db }) => completeRun(db, run));
      }
      return runs.length;
    },
  };
}
