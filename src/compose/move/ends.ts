import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { columnsOf, type Dialect } from '../../backends/store/columns.js';
import { migrateStore } from '../../backends/store/engine/migrate.js';
import { openSqlite, unmigratedSqlite } from '../../backends/store/engine/sqlite.js';
import { firstFilled, requireThisRelease, requireUnused } from '../../backends/store/move/empty.js';
import { type Table, tableNames, tablesOf } from '../../backends/store/move/tables.js';
import type { Store } from '../../backends/store/scope.js';
import { type StoredVectors, storedVectors } from '../../backends/vector/stored-vectors.js';
import type { Config } from '../../config.js';
import { SvcError } from '../../core/errors.js';
import { requireStoreFile } from '../store-marker.js';

/** The engine whose vectors lie in a store, by the store's kind. */
export const ENGINES = { sqlite: 'hnsw', postgres: 'pgvector' } as const;

/** Tables that stay behind: what the target has of its own, and vectors, which each engine keeps in its own way. */
const LEFT = new Set(['migration', 'lease', 'vector_index', 'vector_row', 'vector_migration']);

/** Returns the tables of a store of this release, and those of them that are moved. */
export async function storeTables(): Promise<{ readonly all: readonly Table[]; readonly moved: readonly Table[] }> {
  const store = await openSqlite(':memory:');
  try {
    const all = await tablesOf(store.db);
    return { all, moved: all.filter(({ name }) => !LEFT.has(name)) };
  } finally {
    await store.close();
  }
}

/** Opens the store that is moved, which is left as it is. */
export async function openSource(kind: Dialect, config: Config): Promise<Store> {
  if (kind === 'sqlite') requireStoreFile(config.data.dir);
  return opened(kind, config, ({ db }) => requireThisRelease(db));
}

/** Opens and migrates the store that the other one is moved to. Throws `conflict` where it holds anything. */
export async function openTarget(kind: Dialect, config: Config, tables: readonly Table[]): Promise<Store> {
  return opened(kind, config, async (store) => {
    await requireUnused(store.db);
    await requireEmpty(store, tables);
    await migrateStore(store.db as unknown as Kysely<never>, columnsOf(kind));
  });
}

/** Throws `conflict` where a store holds what somebody wrote. */
export async function requireEmpty({ db, dialect }: Pick<Store, 'db' | 'dialect'>, tables: readonly Table[]) {
  const filled = await firstFilled(
    db,
    tables.map(({ name }) => name),
  );
  if (filled !== undefined) throw notEmpty(dialect, `rows in ${filled}`);
}

/** Removes the vector indexes that a start made and that hold nothing; returns the name of one that holds something. */
export async function dropEmptyIndexes({ db, dialect }: Pick<Store, 'db' | 'dialect'>): Promise<string | undefined> {
  const vectors = await vectorsOf({ db, dialect });
  for (const index of (await vectors?.list(db)) ?? []) {
    if ((await vectors!.count(db, index)) > 0) return index.name;
    await vectors!.drop(db, index.name);
  }
  return undefined;
}

/** Returns how a store's own engine keeps vectors; undefined where it keeps none. */
export async function vectorsOf({ db, dialect }: Pick<Store, 'db' | 'dialect'>): Promise<StoredVectors | undefined> {
  const engine = ENGINES[dialect];
  return engine === 'hnsw' || (await tableNames(db)).has('pgv_index') ? storedVectors[engine] : undefined;
}

export function notEmpty(kind: Dialect, found: string): SvcError {
  const fix =
    kind === 'postgres'
      ? 'The database of DATABASE_URL is not empty: it holds %; name a new one (`createdb`), and move again'
      : 'The data directory is not empty: its store holds %; set SVC_DATA_DIR (--data-dir) to a new one, and move again';
  return new SvcError('conflict', `${fix.replace('%', found)}. Nothing was changed.`);
}

async function opened(kind: Dialect, config: Config, check: (store: Store) => Promise<void>): Promise<Store> {
  const store = await unmigrated(kind, config);
  try {
    await check(store);
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function unmigrated(kind: Dialect, { data, store }: Config): Promise<Store> {
  if (kind === 'sqlite') return unmigratedSqlite(join(data.dir, 'svc.sqlite')).store;
  const { openPostgres } = await import('../../backends/store/engine/postgres.js');
  return openPostgres(store.database_url ?? '', { migrate: false });
}
