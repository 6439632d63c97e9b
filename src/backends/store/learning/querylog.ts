import { type Insertable, type Kysely, type Selectable, sql } from 'kysely';
import type { Database } from '../schema.js';
import { anyOf, chunks } from '../sql.js';

export type QueryRow = Selectable<Database['query_log']>;

export async function addQueries(db: Kysely<Database>, rows: ReadonlyArray<Insertable<Database['query_log']>>) {
  for (const part of chunks(rows, 200)) await db.insertInto('query_log').values(part).execute();
}

export async function readQuery(db: Kysely<Database>, queryId: string): Promise<QueryRow | undefined> {
  return db.selectFrom('query_log').selectAll().where('query_id', '=', queryId).executeTakeFirst();
}

/** Returns the oldest queries with feedback whose close pairs were not recorded since. */
export async function unpairedQueries(db: Kysely<Database>, limit: number): Promise<QueryRow[]> {
  return db.selectFrom('query_log').selectAll().where('paired', '=', 0).orderBy('id').limit(limit).execute();
}

/** Marks queries whose feedback changed, so that their close pairs are looked at (again). */
export async function markUnpaired(db: Kysely<Database>, queryId: string): Promise<void> {
  await db.updateTable('query_log').set({ paired: 0 }).where('query_id', '=', queryId).execute();
}

/** Marks a query as rated; returns whether it was not before. */
export async function markFirstRated(db: Kysely<Database>, queryId: string): Promise<boolean> {
  const result = await db
    .updateTable('query_log')
    .set({ rated: 1 })
    .where('query_id', '=', queryId)
    .where('rated', '=', 0)
    .executeTakeFirst();
  return Number(result.numUpdatedRows) > 0;
}

export async function markPaired(db: Kysely<Database>, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await db
    .updateTable('query_log')
    .set({ paired: 1 })
    .where(anyOf(db, 'id', ids))
    .execute();
}

/** Adds to totals; returns them as they are then. Rows are locked in name order. */
export async function addToCounters(
  db: Kysely<Database>,
  amounts: Readonly<Record<string, number>>,
): Promise<Record<string, number>> {
  const rows = Object.entries(amounts)
    .filter(([, value]) => value !== 0)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => ({ name, value }));
  if (rows.length === 0) return {};
  const now = await db
    .insertInto('counter')
    .values(rows)
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: sql`counter.value + excluded.value` }))
    .returning(['name', 'value'])
    .execute();
  return Object.fromEntries(now.map(({ name, value }) => [name, value]));
}

/** Returns totals whose names start with `prefix`. */
export async function readCounters(db: Kysely<Database>, prefix: string): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('counter')
    .select(['name', 'value'])
    .where('name', '>=', prefix)
    .where('name', '<', `${prefix}\u{10ffff}`)
    .execute();
  return new Map(rows.map(({ name, value }) => [name, value]));
}

/** Returns the oldest queries that are older than `before` or numbered up to `upTo`, at most `limit`. */
export async function expiredQueries(
  db: Kysely<Database>,
  { before, upTo, limit }: { readonly before: number; readonly upTo: number; readonly limit: number },
): Promise<Array<{ id: number; query_id: string }>> {
  const oldest = await db.selectFrom('query_log').select(['id', 'query_id', 'at']).orderBy('id').limit(limit).execute();
  return oldest.filter((row) => row.at < before || row.id <= upTo);
}

export async function lastQuery(db: Kysely<Database>): Promise<number> {
  const row = await db
    .selectFrom('query_log')
    .select((eb) => eb.fn.max('id').as('id'))
    .executeTakeFirst();
  return Number(row?.id ?? 0);
}

export async function deleteQueries(db: Kysely<Database>, queryIds: readonly string[]): Promise<void> {
  await db
    .deleteFrom('query_log')
    .where(anyOf(db, 'query_id', queryIds))
    .execute();
}

/** Ids of the log that one statement looks at. */
const PAGE = 5000;

/** Deletes the queries that asked this domain and no other, a page of ids at a time. */
export async function deleteQueriesOf(db: Kysely<Database>, domain: string): Promise<void> {
  const first = await db
    .selectFrom('query_log')
    .select((eb) => eb.fn.min('id').as('id'))
    .executeTakeFirst();
  const last = await lastQuery(db);
  for (let from = Number(first?.id ?? last + 1); from <= last; from += PAGE) {
    await db
      .deleteFrom('query_log')
      .where('id', '>=', from)
      .where('id', '<', from + PAGE)
      .where('domains', '=', JSON.stringify([domain]))
      .execute();
  }
}
