import SqliteDatabase from 'better-sqlite3';
import { Kysely, SqliteDialect, sql } from 'kysely';
import type { Database } from '../schema.js';
import type { Store } from '../scope.js';

/** One consistent state of the store to read from, and a way to write while it is open. */
export interface Snapshot {
  readonly db: Kysely<Database>;
  readonly write: (work: (db: Kysely<Database>) => Promise<unknown>) => Promise<void>;
}

/**
 * Runs a reading that takes long on one state of the store while reads and writes of others continue: a repeatable-read
 * transaction, or on SQLite a connection of its own. A store in memory has one connection: there writes of others wait.
 */
export async function withSnapshot<T>(store: Store, work: (snapshot: Snapshot) => Promise<T>): Promise<T> {
  const write: Snapshot['write'] = async (change) => {
    await store.write((scope) => change(scope.db));
  };
  if (store.dialect === 'postgres') {
    return store.db
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute((db) => work({ db, write }));
  }
  const file = await fileOf(store);
  if (file === '') {
    return store.write(({ db }) => work({ db, write: async (change) => void (await change(db)) }));
  }
  const connection = new SqliteDatabase(file, { readonly: true });
  const db = new Kysely<Database>({ dialect: new SqliteDialect({ database: connection }) });
  try {
    connection.exec('begin');
    return await work({ db, write });
  } finally {
    if (connection.inTransaction) connection.exec('rollback');
    await db.destroy();
  }
}

async function fileOf(store: Store): Promise<string> {
  const result = await sql<{ name: string; file: string }>`pragma database_list`.execute(store.db);
  return result.rows.find((row) => row.name === 'main')?.file ?? '';
}
