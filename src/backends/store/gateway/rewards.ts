import type { Insertable, Kysely, Selectable } from 'kysely';
import type { GatewayTables } from '../schema/gateway.js';
import type { Database } from '../schema.js';

export type RewardRow = Selectable<GatewayTables['gateway_reward']>;

/** Keeps a reward of one arm; with `pending` 1 it waits for a remote learner. */
export async function addReward(
  db: Kysely<Database>,
  reward: Insertable<GatewayTables['gateway_reward']>,
): Promise<void> {
  await db.insertInto('gateway_reward').values(reward).execute();
}

/** Returns rewards that wait for a remote learner, oldest first. */
export async function pendingRewards(db: Kysely<Database>, limit: number): Promise<RewardRow[]> {
  return db.selectFrom('gateway_reward').selectAll().where('pending', '=', 1).orderBy('id').limit(limit).execute();
}

/** Marks a reward as sent. */
export async function completeReward(db: Kysely<Database>, id: number): Promise<void> {
  await db.updateTable('gateway_reward').set({ pending: 0 }).where('id', '=', id).execute();
}
