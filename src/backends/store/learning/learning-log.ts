import { type Kysely, sql } from 'kysely';
import type { Database } from '../schema.js';
import { anyOf, chunks } from '../sql.js';
import type { PartitionRef } from './learning-partitions.js';

export interface ObservationRow {
  readonly learner: string;
  readonly context_key: string;
  readonly arm_id: string;
  readonly reward: number;
  readonly outcome: string | null;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

const ROWS = 1000;

export async function addObservations(db: Kysely<Database>, rows: readonly ObservationRow[]): Promise<void> {
  for (const part of chunks(rows, ROWS)) await db.insertInto('observation').values(part).execute();
}

/** Adds one to each arm's selections in a partition; returns the arms that were not counted before. */
export async function addSelections(
  db: Kysely<Database>,
  { learner, key }: PartitionRef,
  counts: ReadonlyMap<string, number>,
): Promise<number> {
  let fresh = 0;
  for (const part of chunks([...counts], ROWS)) {
    const rows = await db
      .insertInto('learner_selection')
      .values(part.map(([arm_id, selections]) => ({ learner, context_key: key, arm_id, selections })))
      .onConflict((conflict) =>
        conflict
          .columns(['learner', 'context_key', 'arm_id'])
          .doUpdateSet({ selections: sql`learner_selection.selections + excluded.selections` }),
      )
      .returning(['arm_id', 'selections'])
      .execute();
    fresh += rows.filter((row) => row.selections === counts.get(row.arm_id)).length;
  }
  return fresh;
}

export interface WindowTotals {
  readonly total_pulls: number;
  readonly total_reward: number;
}

/** Returns the sums over the last `window` observations of a learner. */
export async function windowTotals(db: Kysely<Database>, learner: string, window: number): Promise<WindowTotals> {
  const row = await db
    .selectFrom(
      db
        .selectFrom('observation')
        .select(['id', 'reward'])
        .where('learner', '=', learner)
        .orderBy('id', 'desc')
        .limit(window)
        .as('last'),
    )
    .select((eb) => [eb.fn.countAll().as('pulls'), eb.fn.sum('reward').as('reward')])
    .executeTakeFirstOrThrow();
  return { total_pulls: Number(row.pulls), total_reward: Number(row.reward ?? 0) };
}

/** Returns totals per arm over all contexts. */
export async function armTotals(
  db: Kysely<Database>,
  learner: string,
): Promise<Array<{ arm_id: string; pulls: number; total_reward: number }>> {
  const rows = await db
    .selectFrom('learner_arm')
    .select((eb) => ['arm_id', eb.fn.sum('pulls').as('pulls'), eb.fn.sum('total_reward').as('total_reward')])
    .where('learner', '=', learner)
    .groupBy('arm_id')
    .orderBy('arm_id')
    .execute();
  return rows.map((row) => ({
    arm_id: row.arm_id,
    pulls: Number(row.pulls),
    total_reward: Number(row.total_reward),
  }));
}

/** Returns selections per arm over all contexts. */
export async function selectionTotals(db: Kysely<Database>, learner: string): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('learner_selection')
    .select((eb) => ['arm_id', eb.fn.sum('selections').as('selections')])
    .where('learner', '=', learner)
    .groupBy('arm_id')
    .execute();
  return new Map(rows.map((row) => [row.arm_id, Number(row.selections)]));
}

/** Deletes up to `limit` observations in scope; fewer deleted than `limit` means done. */
export async function deleteObservations(
  db: Kysely<Database>,
  scope: { learner: string; key: string | undefined; ids: readonly string[] | undefined; upTo: number; limit: number },
): Promise<number> {
  const result = await db
    .deleteFrom('observation')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('observation')
        .select('id')
        .where('learner', '=', scope.learner)
        .where('id', '<=', scope.upTo)
        .$if(scope.key !== undefined, (query) => query.where('context_key', '=', scope.key!))
        .$if(scope.ids !== undefined, (query) => query.where(anyOf(db, 'arm_id', scope.ids!)))
        .orderBy('id')
        .limit(scope.limit),
    )
    .executeTakeFirst();
  return Number(result.numDeletedRows);
}

/** Returns the number of the newest observation; 0 without any. */
export async function lastObservation(db: Kysely<Database>): Promise<number> {
  const row = await db
    .selectFrom('observation')
    .select((eb) => eb.fn.max('id').as('id'))
    .executeTakeFirst();
  return Number(row?.id ?? 0);
}

/** Deletes, of the oldest `limit` observations, those older than `before` or numbered up to `upTo`. */
export async function pruneObservations(
  db: Kysely<Database>,
  { before, upTo, limit }: { readonly before: number; readonly upTo: number; readonly limit: number },
): Promise<number> {
  const result = await db
    .deleteFrom('observation')
    .where('id', 'in', (eb) => eb.selectFrom('observation').select('id').orderBy('id').limit(limit))
    .where((eb) => eb.or([eb('at', '<', before), eb('id', '<=', upTo)]))
    .executeTakeFirst();
  return Number(result.numDeletedRows);
}
