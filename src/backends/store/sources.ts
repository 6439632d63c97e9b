import { type Kysely, sql } from 'kysely';
import { insertRows } from './rows.js';
import type { Database } from './schema.js';
import { anyOf, chunks } from './sql.js';

export interface RegisteredSource {
  readonly source_id: string;
  readonly connection: string;
  readonly options: string;
  readonly tables: string;
}

export async function saveSource(db: Kysely<Database>, source: RegisteredSource, now: string): Promise<void> {
  await db
    .insertInto('relational_source')
    .values({ ...source, created_at: now, updated_at: now })
    .onConflict((c) =>
      c.column('source_id').doUpdateSet({
        connection: source.connection,
        options: source.options,
        tables: source.tables,
        updated_at: now,
      }),
    )
    .execute();
}

export async function getSource(db: Kysely<Database>, sourceId: string): Promise<RegisteredSource | undefined> {
  return db
    .selectFrom('relational_source')
    .select(['source_id', 'connection', 'options', 'tables'])
    .where('source_id', '=', sourceId)
    .executeTakeFirst();
}

export async function listRegistered(db: Kysely<Database>): Promise<RegisteredSource[]> {
  return db
    .selectFrom('relational_source')
    .select(['source_id', 'connection', 'options', 'tables'])
    .orderBy('source_id')
    .execute();
}

/** Removes a source from the registry. What was ingested stays, and with it what is remembered of the rows. */
export async function deleteSource(db: Kysely<Database>, sourceId: string): Promise<boolean> {
  const result = await db.deleteFrom('relational_source').where('source_id', '=', sourceId).executeTakeFirst();
  return Number(result.numDeletedRows) > 0;
}

/** Forgets how far a table's sync came and what was read of it. */
export async function deleteTable(db: Kysely<Database>, { sourceId, table }: TableAt): Promise<void> {
  await db.deleteFrom('source_sync').where('source_id', '=', sourceId).where('table_name', '=', table).execute();
  await db.deleteFrom('source_row').where('source_id', '=', sourceId).where('table_name', '=', table).execute();
}

export interface TableAt {
  readonly sourceId: string;
  readonly table: string;
}

export interface SyncState {
  readonly run: number;
  readonly mode: string;
  readonly domain: string;
  readonly signature: string;
  /** JSON that tells where a series of interrupted runs began; null once one has ended. */
  readonly position: string | null;
  readonly rows_done: number;
  readonly finished: number;
  readonly high_water: string | null;
}

const STATE = ['run', 'mode', 'domain', 'signature', 'position', 'rows_done', 'finished', 'high_water'] as const;

/** Returns the tables of a source that were synced, with their state. */
export async function listSyncs(
  db: Kysely<Database>,
  sourceId: string,
): Promise<Array<SyncState & { readonly table_name: string }>> {
  return db
    .selectFrom('source_sync')
    .select(['table_name', ...STATE])
    .where('source_id', '=', sourceId)
    .orderBy('table_name')
    .execute();
}

export async function getSync(db: Kysely<Database>, { sourceId, table }: TableAt): Promise<SyncState | undefined> {
  return db
    .selectFrom('source_sync')
    .select(STATE)
    .where('source_id', '=', sourceId)
    .where('table_name', '=', table)
    .executeTakeFirst();
}

export async function saveSync(db: Kysely<Database>, at: TableAt, state: SyncState): Promise<void> {
  await db
    .insertInto('source_sync')
    .values({ source_id: at.sourceId, table_name: at.table, ...state })
    .onConflict((c) => c.columns(['source_id', 'table_name']).doUpdateSet({ ...state }))
    .execute();
}

/** Returns row key → hash, of the rows among `keys` that were read before, in the run `from` or a later one. */
export async function rowHashes(
  db: Kysely<Database>,
  at: TableAt & { readonly from?: number },
  keys: readonly string[],
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const batch of chunks(keys, 2000)) {
    const rows = await db
      .selectFrom('source_row')
      .select(['row_key', 'hash'])
      .where('source_id', '=', at.sourceId)
      .where('table_name', '=', at.table)
      .where(anyOf(db, 'row_key', batch))
      .where('run', '>=', at.from ?? 0)
      .execute();
    for (const row of rows) found.set(row.row_key, row.hash);
  }
  return found;
}

/** Notes rows as seen in this run with this content. */
export async function saveRows(
  db: Kysely<Database>,
  at: TableAt & { readonly run: number },
  rows: ReadonlyArray<{ readonly key: string; readonly hash: string }>,
): Promise<void> {
  await insertRows(db, 'source_row', {
    columns: { source_id: 'text', table_name: 'text', row_key: 'text', hash: 'text', run: 'int' },
    rows: rows.map(({ key, hash }) => [at.sourceId, at.table, key, hash, at.run]),
    tail: sql`on conflict (source_id, table_name, row_key) do update set hash = excluded.hash, run = excluded.run`,
  });
}

/** Notes known rows as seen in this run, as they were. */
export async function touchRows(
  db: Kysely<Database>,
  at: TableAt & { readonly run: number },
  keys: readonly string[],
): Promise<void> {
  for (const batch of chunks(keys, 1000)) {
    await db
      .updateTable('source_row')
      .set({ run: at.run })
      .where('source_id', '=', at.sourceId)
      .where('table_name', '=', at.table)
      .where(anyOf(db, 'row_key', batch))
      .execute();
  }
}

/** Returns the keys that the run did not see: the rows were deleted in the database. */
export async function unseenRows(
  db: Kysely<Database>,
  at: TableAt & { readonly run: number },
  limit: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom('source_row')
    .select('row_key')
    .where('source_id', '=', at.sourceId)
    .where('table_name', '=', at.table)
    .where('run', '<>', at.run)
    .orderBy('row_key')
    .limit(limit)
    .execute();
  return rows.map((row) => row.row_key);
}

export async function deleteRows(db: Kysely<Database>, at: TableAt, keys: readonly string[]): Promise<void> {
  for (const batch of chunks(keys, 2000)) {
    await db
      .deleteFrom('source_row')
      .where('source_id', '=', at.sourceId)
      .where('table_name', '=', at.table)
      .where(anyOf(db, 'row_key', batch))
      .execute();
  }
}
