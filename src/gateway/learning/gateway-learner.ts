import { addReward } from '../../backends/store/gateway/rewards.js';
import { readArms } from '../../backends/store/learning/learning-arms.js';
import type { Store } from '../../backends/store/scope.js';
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
  /** Passes on lessons that wait; returns how many runs and rewards were finished. */
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
