import { type Insertable, type Kysely, type Selectable, sql } from 'kysely';
import { LAST_MOMENT } from '../../../core/clock.js';
import type { GatewayTables } from '../schema/gateway.js';
import type { Database } from '../schema.js';
import { chunks } from '../sql.js';

export type GreenTraceRow = Selectable<GatewayTables['green_trace']>;
export type NewGreenTrace = Insertable<GatewayTables['green_trace']>;

export interface TraceFilter {
  /** Provider and model match without regard to case, as senders write them in several ways. */
  readonly provider?: string | undefined;
  readonly model?: string | undefined;
  /** Milliseconds; the end is excluded. */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
}

const ROWS = 200;

export async function addGreenTraces(db: Kysely<Database>, rows: readonly NewGreenTrace[]): Promise<void> {
  for (const part of chunks(rows, ROWS)) await db.insertInto('green_trace').values(part).execute();
}

/** Returns a page of traces, newest first. */
export async function readGreenTraces(
  db: Kysely<Database>,
  { limit, offset, ...filter }: TraceFilter & { readonly limit: number; readonly offset: number },
): Promise<GreenTraceRow[]> {
  return filtered(db, filter)
    .selectAll()
    .orderBy('timestamp', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
}

/** Returns the traces after an id, in the order in which they came. */
export async function greenTracesAfter(db: Kysely<Database>, after: number, limit: number): Promise<GreenTraceRow[]> {
  return db.selectFrom('green_trace').selectAll().where('id', '>', after).orderBy('id').limit(limit).execute();
}

export async function countGreenTraces(db: Kysely<Database>, filter: TraceFilter): Promise<number> {
  const row = await filtered(db, filter).select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow();
  return Number(row.total);
}

/**
 * Returns the oldest and newest timestamp, or null where there is nothing. Times that no date can hold, which earlier
 * releases took, are passed over.
 */
export async function greenTimeRange(
  db: Kysely<Database>,
  filter: TraceFilter = {},
): Promise<{ min: number | null; max: number | null }> {
  const dated = () => filtered(db, filter).where('timestamp', '>=', 0).where('timestamp', '<=', LAST_MOMENT);
  // One end at a time, so that each is a step into the index.
  const [min, max] = await Promise.all([
    dated().select(sql<number | null>`min("timestamp")`.as('value')).executeTakeFirstOrThrow(),
    dated().select(sql<number | null>`max("timestamp")`.as('value')).executeTakeFirstOrThrow(),
  ]);
  return { min: numberOrNull(min.value), max: numberOrNull(max.value) };
}

/** Returns grams and traces by bucket of `width` ms, aligned to the epoch; empty buckets are absent. */
export async function greenBuckets(
  db: Kysely<Database>,
  width: number,
  filter: TraceFilter = {},
): Promise<Array<{ bucket: number; co2Grams: number; traceCount: number }>> {
  const bucket = sql<number>`cast("timestamp" / ${sql.lit(width)} as bigint)`;
  const rows = await filtered(db, filter)
    .select([
      bucket.as('bucket'),
      sql<number>`sum("totalCo2Grams")`.as('co2Grams'),
      sql<number>`count(*)`.as('traceCount'),
    ])
    .groupBy(bucket)
    .orderBy(bucket)
    .execute();
  return rows.map((row) => ({
    bucket: Number(row.bucket),
    co2Grams: Number(row.co2Grams),
    traceCount: Number(row.traceCount),
  }));
}

/** Returns the traces of a span of time in slices by id, for a recalculation. */
export async function greenTracesOfDay(
  db: Kysely<Database>,
  span: { readonly since: number; readonly until: number; readonly after: number; readonly limit: number },
): Promise<GreenTraceRow[]> {
  return filtered(db, span).selectAll().where('id', '>', span.after).orderBy('id').limit(span.limit).execute();
}

/** Writes the computed part of a trace anew. */
export async function updateGreenTrace(
  db: Kysely<Database>,
  id: number,
  values: Partial<Omit<NewGreenTrace, 'id'>>,
): Promise<void> {
  await db.updateTable('green_trace').set(values).where('id', '=', id).execute();
}

function filtered(db: Kysely<Database>, { provider, model, since, until }: TraceFilter) {
  return db
    .selectFrom('green_trace')
    .$if(provider !== undefined, (query) => query.where('provider', 'in', spellings(db, 'provider', provider!)))
    .$if(model !== undefined, (query) => query.where('model', 'in', spellings(db, 'model', model!)))
    .$if(since !== undefined, (query) => query.where('timestamp', '>=', since!))
    .$if(until !== undefined, (query) => query.where('timestamp', '<', until!));
}

/** Selects how a name is written in the sums of days, without regard to case: so the index of the traces still serves. */
function spellings(db: Kysely<Database>, column: 'provider' | 'model', name: string) {
  return db
    .selectFrom('green_rollup')
    .select(`${column} as name`)
    .distinct()
    .where(sql<string>`lower(${sql.ref(column)})`, '=', sql<string>`lower(${name})`);
}

function numberOrNull(value: number | string | null): number | null {
  return value === null ? null : Number(value);
}
