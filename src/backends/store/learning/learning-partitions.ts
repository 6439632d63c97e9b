import { type Kysely, sql } from 'kysely';
import type { Database } from '../schema.js';

/** One context of one learner. */
export interface PartitionRef {
  readonly learner: string;
  readonly key: string;
}

export interface PartitionChange {
  /** Canonical JSON, kept when the partition is new. */
  readonly context: string;
  /** True where arms are about to change. */
  readonly arms: boolean;
  readonly selections?: number;
  readonly baselineSelections?: number;
  readonly observations?: number;
}

export interface Partition {
  readonly version: number;
  readonly epoch: number;
  readonly arms: number;
  readonly counted: number;
}

/**
 * Makes the partition if it is new, in one statement, adds to its counters, steps its version. Locks it on PostgreSQL.
 */
export async function touchPartition(
  db: Kysely<Database>,
  { learner, key }: PartitionRef,
  change: PartitionChange,
): Promise<Partition> {
  return db
    .insertInto('learner_partition')
    .values({
      learner,
      context_key: key,
      context: change.context,
      version: change.arms ? 1 : 0,
      epoch: 0,
      arms: 0,
      counted: 0,
      selections: change.selections ?? 0,
      baseline_selections: change.baselineSelections ?? 0,
      observations: change.observations ?? 0,
    })
    .onConflict((conflict) =>
      conflict.columns(['learner', 'context_key']).doUpdateSet({
        version: sql`learner_partition.version + excluded.version`,
        selections: sql`learner_partition.selections + excluded.selections`,
        baseline_selections: sql`learner_partition.baseline_selections + excluded.baseline_selections`,
        observations: sql`learner_partition.observations + excluded.observations`,
      }),
    )
    .returning(['version', 'epoch', 'arms', 'counted'])
    .executeTakeFirstOrThrow();
}

/** Adds to how many arms (or counted arms) the partition holds. */
export async function growPartition(
  db: Kysely<Database>,
  { learner, key }: PartitionRef,
  by: { readonly arms?: number; readonly counted?: number },
): Promise<void> {
  await db
    .updateTable('learner_partition')
    .set({ arms: sql`arms + ${by.arms ?? 0}`, counted: sql`counted + ${by.counted ?? 0}` })
    .where('learner', '=', learner)
    .where('context_key', '=', key)
    .execute();
}

/** Returns what caches compare; undefined for a partition that was never used. */
export async function partitionVersion(
  db: Kysely<Database>,
  { learner, key }: PartitionRef,
): Promise<{ version: number; epoch: number } | undefined> {
  return db
    .selectFrom('learner_partition')
    .select(['version', 'epoch'])
    .where('learner', '=', learner)
    .where('context_key', '=', key)
    .executeTakeFirst();
}

/** Steps the version of one or all partitions before a deletion: holds writers off, and caches read all of it again. */
export async function startDeletion(db: Kysely<Database>, learner: string, key: string | undefined): Promise<void> {
  await db
    .updateTable('learner_partition')
    .set({ version: sql`version + 1`, epoch: sql`version + 1` })
    .where('learner', '=', learner)
    .$if(key !== undefined, (query) => query.where('context_key', '=', key!))
    .execute();
}

/** Sets the counts of one or all partitions right after a deletion; `everything` clears the selection totals too. */
export async function finishDeletion(
  db: Kysely<Database>,
  learner: string,
  { key, everything }: { readonly key: string | undefined; readonly everything: boolean },
): Promise<void> {
  const rowsOf = (table: string) => sql<number>`(select count(*) from ${sql.table(table)} as counted_rows
    where counted_rows.learner = learner_partition.learner
    and counted_rows.context_key = learner_partition.context_key)`;
  await db
    .updateTable('learner_partition')
    .set({
      arms: rowsOf('learner_arm'),
      counted: rowsOf('learner_selection'),
      ...(everything ? { selections: 0, baseline_selections: 0 } : {}),
    })
    .where('learner', '=', learner)
    .$if(key !== undefined, (query) => query.where('context_key', '=', key!))
    .execute();
}

export interface LearnerTotals {
  readonly learner: string;
  readonly contexts: number;
  readonly observations: number;
  readonly selections: number;
  readonly baseline_selections: number;
}

/** Returns one row per learner that was ever used, by name. */
export async function learnerTotals(db: Kysely<Database>, learner?: string): Promise<LearnerTotals[]> {
  let query = db
    .selectFrom('learner_partition')
    .select((eb) => [
      'learner',
      eb.fn.countAll().as('contexts'),
      eb.fn.sum('observations').as('observations'),
      eb.fn.sum('selections').as('selections'),
      eb.fn.sum('baseline_selections').as('baseline_selections'),
    ])
    .groupBy('learner')
    .orderBy('learner');
  if (learner !== undefined) query = query.where('learner', '=', learner);
  const rows = await query.execute();
  return rows.map((row) => ({
    learner: row.learner,
    contexts: Number(row.contexts),
    observations: Number(row.observations),
    selections: Number(row.selections),
    baseline_selections: Number(row.baseline_selections),
  }));
}

/** Returns the busiest contexts of a learner by observations. */
export async function busiestPartitions(db: Kysely<Database>, learner: string, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('learner_partition')
    .select('context_key')
    .where('learner', '=', learner)
    .where('arms', '>', 0)
    .orderBy('observations', 'desc')
    .orderBy('context_key')
    .limit(limit)
    .execute();
  return rows.map((row) => row.context_key);
}
