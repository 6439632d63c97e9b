import { type Insertable, type Kysely, type Selectable, sql } from 'kysely';
import type { GatewayTables } from '../schema/gateway.js';
import type { Database } from '../schema.js';
import { anyOf, chunks, isPostgres } from '../sql.js';

export type RunRow = Selectable<GatewayTables['gateway_run']>;
export type NewRun = Insertable<GatewayTables['gateway_run']>;

export interface RunFilter {
  /** Milliseconds; the end is excluded. */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  readonly model?: string | undefined;
}

/** Returns the rows of these runs, locked against other writers until the transaction ends. */
export async function lockRuns(db: Kysely<Database>, runIds: readonly string[]): Promise<Map<string, RunRow>> {
  if (runIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('gateway_run')
    .selectAll()
    .where(anyOf(db, 'runId', runIds))
    .orderBy('runId')
    .$if(isPostgres(db), (query) => query.forUpdate())
    .execute();
  return new Map(rows.map((row) => [row.runId, row]));
}

/** Writes runs, new ones and known ones (their id stays). */
export async function putRuns(db: Kysely<Database>, rows: readonly NewRun[]): Promise<void> {
  for (const part of chunks(rows, 200)) {
    const columns = Object.keys(part[0]!).filter((name) => name !== 'id' && name !== 'runId' && name !== 'receivedAt');
    await db
      .insertInto('gateway_run')
      .values(part)
      .onConflict((conflict) =>
        conflict
          .column('runId')
          .doUpdateSet(Object.fromEntries(columns.map((name) => [name, sql`${sql.ref(`excluded.${name}`)}`]))),
      )
      .execute();
  }
}

/** Returns a page of runs, newest first. */
export async function readRuns(
  db: Kysely<Database>,
  { limit, offset, ...filter }: RunFilter & { readonly limit: number; readonly offset: number },
): Promise<RunRow[]> {
  return filtered(db, filter)
    .selectAll()
    .orderBy('timestamp', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
}

/** Runs after an id, in the order in which they came: for exports. */
export async function runsAfter(db: Kysely<Database>, after: number, limit: number): Promise<RunRow[]> {
  return db.selectFrom('gateway_run').selectAll().where('id', '>', after).orderBy('id').limit(limit).execute();
}

export async function countRuns(db: Kysely<Database>, filter: RunFilter = {}): Promise<number> {
  const row = await filtered(db, filter).select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow();
  return Number(row.total);
}

export interface RunTotals {
  readonly runs: number;
  readonly avgTokens: number | null;
  readonly avgDuration: number | null;
}

/**
 * Counts runs and sums their tokens, and compares baseline runs with selected ones. A run without any arm (a lone call of a
 * model) had nothing to select from: it is counted and is on neither side.
 */
export async function runTotals(
  db: Kysely<Database>,
  filter: RunFilter = {},
): Promise<{
  runs: number;
  tokens: number;
  baseline: RunTotals;
  selected: RunTotals;
  min: number | null;
  max: number | null;
}> {
  // As `armsOf` reads them of one run: as stated, else the tools.
  const hasArms = sql<number>`case when coalesce("arms", "tools", '[]') = '[]' then 0 else 1 end`;
  const rows = await filtered(db, filter)
    .select([
      'isBaseline',
      hasArms.as('hasArms'),
      sql<number>`count(*)`.as('runs'),
      sql<number | null>`sum(case when "hasUsage" = 1 then cast("totalTokens" as double precision) end)`.as('tokens'),
      sql<number | null>`avg(case when "hasUsage" = 1 then "totalTokens" * 1.0 end)`.as('avgTokens'),
      // As `durationOf` computes it of one run.
      sql<number | null>`avg(coalesce("durationMs",
        case when "endTimestamp" > "timestamp" then ("endTimestamp" - "timestamp") * 1.0 end))`.as('avgDuration'),
      sql<number | null>`min("timestamp")`.as('min'),
      sql<number | null>`max("timestamp")`.as('max'),
    ])
    .groupBy(['isBaseline', hasArms])
    .execute();
  const side = (isBaseline: number): RunTotals => {
    const row = rows.find((one) => one.isBaseline === isBaseline && Number(one.hasArms) === 1);
    return {
      runs: Number(row?.runs ?? 0),
      avgTokens: numberOrNull(row?.avgTokens),
      avgDuration: numberOrNull(row?.avgDuration),
    };
  };
  const total = (of: 'runs' | 'tokens') => rows.reduce((sum, row) => sum + Number(row[of] ?? 0), 0);
  const mins = rows.map((row) => Number(row.min));
  const maxs = rows.map((row) => Number(row.max));
  return {
    runs: total('runs'),
    tokens: total('tokens'),
    baseline: side(1),
    selected: side(0),
    min: mins.length === 0 ? null : Math.min(...mins),
    max: maxs.length === 0 ? null : Math.max(...maxs),
  };
}

/** Returns mean usage total by bucket of `width` ms, of runs that have usage; empty buckets are absent. */
export async function tokenBuckets(
  db: Kysely<Database>,
  width: number,
  filter: RunFilter = {},
): Promise<Array<{ bucket: number; value: number }>> {
  const bucket = sql<number>`cast("timestamp" / ${sql.lit(width)} as bigint)`;
  const rows = await filtered(db, filter)
    .select([bucket.as('bucket'), sql<number>`avg("totalTokens" * 1.0)`.as('value')])
    .where('hasUsage', '=', 1)
    .groupBy(bucket)
    .orderBy(bucket)
    .execute();
  return rows.map((row) => ({ bucket: Number(row.bucket), value: Number(row.value) }));
}

/** Runs whose lessons wait for a remote learner, up to a moment. */
export async function pendingRuns(db: Kysely<Database>, now: number, limit: number): Promise<RunRow[]> {
  return db
    .selectFrom('gateway_run')
    .selectAll()
    .where('pending', '=', 1)
    .where('due', '<=', now)
    .orderBy('due')
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** Notes what the learner got from a run so far. */
export async function noteTaught(db: Kysely<Database>, id: number, taught: string): Promise<void> {
  await db.updateTable('gateway_run').set({ taught }).where('id', '=', id).execute();
}

/** Marks a run as complete, unless a part of it arrived since the row was read: that put off the moment it is due. */
export async function completeRun(db: Kysely<Database>, { id, due }: Pick<RunRow, 'id' | 'due'>): Promise<void> {
  await db.updateTable('gateway_run').set({ pending: 0 }).where('id', '=', id).where('due', '=', due).execute();
}

/** Deletes up to `limit` runs received before a moment; returns how many were deleted. */
export async function pruneRuns(db: Kysely<Database>, before: number, limit: number): Promise<number> {
  const result = await db
    .deleteFrom('gateway_run')
    .where('id', 'in', (eb) =>
      eb.selectFrom('gateway_run').select('id').where('receivedAt', '<', before).where('pending', '=', 0).limit(limit),
    )
    .executeTakeFirst();
  return Number(result.numDeletedRows);
}

function filtered(db: Kysely<Database>, { since, until, model }: RunFilter) {
  return db
    .selectFrom('gateway_run')
    .$if(since !== undefined, (query) => query.where('timestamp', '>=', since!))
    .$if(until !== undefined, (query) => query.where('timestamp', '<', until!))
    .$if(model !== undefined, (query) => query.where('model', '=', model!));
}

function numberOrNull(value: number | string | null | undefined): number | null {
  return value === null || value === undefined ? null : Number(value);
}
