import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database } from '../schema.js';
import { anyOf, chunks } from '../sql.js';
import type { PartitionRef } from './learning-partitions.js';

export interface ArmRow {
  readonly arm_id: string;
  readonly alpha: number;
  readonly beta: number;
  readonly pulls: number;
  readonly total_reward: number;
  /** Milliseconds since the epoch. */
  readonly updated_at: number;
}

export interface ArmIncrement {
  readonly arm_id: string;
  /** How many observations, and the sum of their rewards. */
  readonly pulls: number;
  readonly reward: number;
  /** Prior of an arm that has no row yet. */
  readonly alpha: number;
  readonly beta: number;
}

const FIELDS = ['arm_id', 'alpha', 'beta', 'pulls', 'total_reward', 'updated_at'] as const;
const ROWS = 500;

/** Adds to the posteriors inside the database, many arms per statement; `born` names the rows that are new. */
export async function incrementArms(
  db: Kysely<Database>,
  { learner, key }: PartitionRef,
  { increments, version, now }: { readonly increments: readonly ArmIncrement[]; version: number; now: number },
): Promise<Array<ArmRow & { born: number }>> {
  const rows: Array<ArmRow & { born: number }> = [];
  for (const part of chunks(increments, ROWS)) {
    rows.push(
      ...(await db
        .insertInto('learner_arm')
        .values(
          part.map((arm) => ({
            learner,
            context_key: key,
            arm_id: arm.arm_id,
            alpha: arm.alpha + arm.reward,
            beta: arm.beta + (arm.pulls - arm.reward),
            pulls: arm.pulls,
            total_reward: arm.reward,
            updated_at: now,
            version,
            born: version,
          })),
        )
        .onConflict((conflict) =>
          conflict.columns(['learner', 'context_key', 'arm_id']).doUpdateSet({
            alpha: sql`learner_arm.alpha + excluded.total_reward`,
            beta: sql`learner_arm.beta + (excluded.pulls - excluded.total_reward)`,
            pulls: sql`learner_arm.pulls + excluded.pulls`,
            total_reward: sql`learner_arm.total_reward + excluded.total_reward`,
            updated_at: sql`excluded.updated_at`,
            version: sql`excluded.version`,
          }),
        )
        .returning([...FIELDS, 'born'])
        .execute()),
    );
  }
  return rows;
}

export interface ArmShift {
  readonly arm_id: string;
  /** Added to alpha and beta. */
  readonly alpha: number;
  readonly beta: number;
  readonly prior: { readonly alpha: number; readonly beta: number };
}

/** Adds deltas of any sign, never below `floor`, and one pull; returns the arms as they are then. */
export async function shiftArms(
  db: Kysely<Database>,
  { learner, key }: PartitionRef,
  { shifts, version, now, floor }: { shifts: readonly ArmShift[]; version: number; now: number; floor: number },
): Promise<Array<ArmRow & { born: number }>> {
  const rows: Array<ArmRow & { born: number }> = [];
  for (const shift of shifts) {
    rows.push(
      await db
        .insertInto('learner_arm')
        .values({
          learner,
          context_key: key,
          arm_id: shift.arm_id,
          alpha: Math.max(floor, shift.prior.alpha + shift.alpha),
          beta: Math.max(floor, shift.prior.beta + shift.beta),
          pulls: 1,
          total_reward: 0,
          updated_at: now,
          version,
          born: version,
        })
        .onConflict((conflict) =>
          conflict.columns(['learner', 'context_key', 'arm_id']).doUpdateSet({
            alpha: floored('alpha', shift.alpha, floor),
            beta: floored('beta', shift.beta, floor),
            pulls: sql`learner_arm.pulls + 1`,
            updated_at: now,
            version,
          }),
        )
        .returning([...FIELDS, 'born'])
        .executeTakeFirstOrThrow(),
    );
  }
  return rows;
}

function floored(column: 'alpha' | 'beta', by: number, floor: number) {
  const now = sql.ref(`learner_arm.${column}`);
  const to = sql`${now} + cast(${by} as double precision)`;
  return sql<number>`case when ${to} < ${floor} then ${floor} else ${to} end`;
}

/**
 * Takes back a shift, and so many pulls, from an arm whose row is at least that old; false where the row was deleted or
 * is younger.
 */
export async function unshiftArm(
  db: Kysely<Database>,
  { learner, key }: PartitionRef,
  shift: Omit<ArmShift, 'prior'> & {
    readonly pulls: number;
    readonly applied: number;
    readonly version: number;
    readonly now: number;
    readonly floor: number;
  },
): Promise<boolean> {
  const rows = await db
    .updateTable('learner_arm')
    .set({
      alpha: floored('alpha', -shift.alpha, shift.floor),
      beta: floored('beta', -shift.beta, shift.floor),
      pulls: sql`case when pulls > ${shift.pulls} then pulls - ${shift.pulls} else 0 end`,
      updated_at: shift.now,
      version: shift.version,
    })
    .where('learner', '=', learner)
    .where('context_key', '=', key)
    .where('arm_id', '=', shift.arm_id)
    .where('born', '<=', shift.applied)
    .returning('arm_id')
    .execute();
  return rows.length > 0;
}

/** Sets alpha ← a0 + factor·(alpha − a0), the same for beta; undefined where the arm has no row. */
export async function decayArm(
  db: Kysely<Database>,
  { learner, key }: PartitionRef,
  decay: { arm_id: string; factor: number; prior: { alpha: number; beta: number }; version: number; now: number },
): Promise<ArmRow | undefined> {
  const toward = (column: 'alpha' | 'beta', prior: number) =>
    sql<number>`cast(${prior} as double precision) + cast(${decay.factor} as double precision)
      * (${sql.ref(column)} - cast(${prior} as double precision))`;
  return db
    .updateTable('learner_arm')
    .set({
      alpha: toward('alpha', decay.prior.alpha),
      beta: toward('beta', decay.prior.beta),
      updated_at: decay.now,
      version: decay.version,
    })
    .where('learner', '=', learner)
    .where('context_key', '=', key)
    .where('arm_id', '=', decay.arm_id)
    .returning(FIELDS)
    .executeTakeFirst();
}

/** Returns arms of a partition that changed after `since` (-1: all of them), in slices of 2,000. */
export async function readArms(db: Kysely<Database>, { learner, key }: PartitionRef, since: number): Promise<ArmRow[]> {
  const rows: ArmRow[] = [];
  let after = '';
  for (;;) {
    const part = await db
      .selectFrom('learner_arm')
      .select(FIELDS)
      .where('learner', '=', learner)
      .where('context_key', '=', key)
      .where('arm_id', '>', after)
      .$if(since >= 0, (query) => query.where('version', '>', since))
      .orderBy('arm_id')
      .limit(2000)
      .execute();
    rows.push(...part);
    if (part.length < 2000) return rows;
    after = part[part.length - 1]!.arm_id;
  }
}

/** Returns one arm of a partition; undefined where it has no row. */
export function readArm(
  db: Kysely<Database>,
  { learner, key }: PartitionRef,
  armId: string,
): Promise<ArmRow | undefined> {
  return db
    .selectFrom('learner_arm')
    .select(FIELDS)
    .where('learner', '=', learner)
    .where('context_key', '=', key)
    .where('arm_id', '=', armId)
    .executeTakeFirst();
}

/** Returns those of these arms that have a row and no pulls. */
export function idleArms(db: Kysely<Database>, partition: PartitionRef, ids: readonly string[]): Promise<string[]> {
  return armsWhere(db, partition, sql<boolean>`pulls = 0 and ${anyOf(db, 'arm_id', ids)}`);
}

/** Returns the arms of a partition whose ids begin with a prefix. */
export function armsUnder(db: Kysely<Database>, partition: PartitionRef, prefix: string): Promise<string[]> {
  return armsWhere(db, partition, sql<boolean>`substr(arm_id, 1, ${sql.lit(prefix.length)}) = ${prefix}`);
}

async function armsWhere(
  db: Kysely<Database>,
  { learner, key }: PartitionRef,
  condition: RawBuilder<boolean>,
): Promise<string[]> {
  const rows = await db
    .selectFrom('learner_arm')
    .select('arm_id')
    .where('learner', '=', learner)
    .where('context_key', '=', key)
    .where(condition)
    .execute();
  return rows.map((row) => row.arm_id);
}

/** Returns those of these arms that have a row. */
export async function knownArms(
  db: Kysely<Database>,
  table: 'learner_arm' | 'learner_selection',
  { learner, key, ids }: PartitionRef & { readonly ids: readonly string[] },
): Promise<Set<string>> {
  const rows = await db
    .selectFrom(table)
    .select('arm_id')
    .where('learner', '=', learner)
    .where('context_key', '=', key)
    .where(anyOf(db, 'arm_id', ids))
    .execute();
  return new Set(rows.map((row) => row.arm_id));
}

interface ArmScope {
  readonly learner: string;
  readonly key: string | undefined;
  readonly ids: readonly string[] | undefined;
}

function inScope(db: Kysely<Database>, { learner, key, ids }: ArmScope): RawBuilder<boolean> {
  const parts = [
    sql<boolean>`learner = ${learner}`,
    ...(key === undefined ? [] : [sql<boolean>`context_key = ${key}`]),
    ...(ids === undefined ? [] : [anyOf(db, 'arm_id', ids)]),
  ];
  return sql<boolean>`(${sql.join(parts, sql` and `)})`;
}

/** Counts the states that `deleteArms` would delete. */
export async function countArms(db: Kysely<Database>, scope: ArmScope): Promise<number> {
  const { count } = await db
    .selectFrom('learner_arm')
    .select((eb) => eb.fn.countAll().as('count'))
    .where(inScope(db, scope))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/**
 * Deletes arms with their selection counts, of one partition or all, all arms or these; returns how many states were
 * deleted.
 */
export async function deleteArms(db: Kysely<Database>, scope: ArmScope): Promise<number> {
  let deleted = 0;
  for (const table of ['learner_arm', 'learner_selection'] as const) {
    const result = await db.deleteFrom(table).where(inScope(db, scope)).executeTakeFirst();
    if (table === 'learner_arm') deleted = Number(result.numDeletedRows);
  }
  return deleted;
}
