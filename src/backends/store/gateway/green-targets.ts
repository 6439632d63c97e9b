import type { Kysely, Selectable } from 'kysely';
import type { GatewayTables } from '../schema/gateway.js';
import type { Database } from '../schema.js';

export type TargetRow = Selectable<GatewayTables['green_target']>;

/** Returns all stored targets, oldest first. */
export async function readTargets(db: Kysely<Database>): Promise<TargetRow[]> {
  return db.selectFrom('green_target').selectAll().orderBy('createdAt').orderBy('targetId').execute();
}

/** Adds a target; false where its id exists. */
export async function addTarget(db: Kysely<Database>, target: TargetRow): Promise<boolean> {
  const row = await db
    .insertInto('green_target')
    .values(target)
    .onConflict((conflict) => conflict.column('targetId').doNothing())
    .returning('targetId')
    .executeTakeFirst();
  return row !== undefined;
}

/** Removes a target; false where there is none of that id. */
export async function removeTarget(db: Kysely<Database>, targetId: string): Promise<boolean> {
  const row = await db
    .deleteFrom('green_target')
    .where('targetId', '=', targetId)
    .returning('targetId')
    .executeTakeFirst();
  return row !== undefined;
}
