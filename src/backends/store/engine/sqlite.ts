import SqliteDatabase from 'better-sqlite3';
import { Kysely, type KyselyPlugin, SqliteDialect, sql } from 'kysely';
import { SvcError } from '../../../core/errors.js';
import { slicer } from '../../../core/slices.js';
import { columnsOf } from '../columns.js';
import type { Database } from '../schema.js';
import type { Store } from '../scope.js';
import { migrateStore } from './migrate.js';
import { keepPrepared } from './prepared.js';
import { Wal } from './wal.js';
import { WriteQueue } from './write-queue.js';

/** Opens (and migrates) the store in one file; `:memory:` for tests and clients without a directory. */
export async function openSqlite(file: string): Promise<Store> {
  const writer = connect(file);
  const inMemory = file === ':memory:';
  const reader = inMemory ? writer : connect(file);
  const db = new Kysely<Database>({ dialect: new SqliteDialect({ database: reader }) });
  const writeDb = inMemory
    ? db
    : new Kysely<Database>({ dialect: new SqliteDialect({ database: writer }), plugins: [giveWay()] });
  await migrateStore(writeDb as unknown as Kysely<never>, columnsOf('sqlite'));
  const wal = inMemory ? undefined : new Wal(file);
  const queue = new WriteQueue(
    {
      room: async () => wal?.room(),
      begin: () => void writer.exec('begin immediate'),
      commit: () => void writer.exec('commit'),
      synced: async () => wal?.synced(),
      rollback: () => void (writer.inTransaction && writer.exec('rollback')),
      savepoint: () => void writer.exec('savepoint job'),
      release: () => void writer.exec('release job'),
      undo: () => void writer.exec('rollback to job; release job'),
    },
    writeDb,
  );
  return {
    dialect: 'sqlite',
    db,
    write: (work, options) => queue.run(work, options?.durable ?? true),
    health: async () => {
      await sql`select 1`.execute(db).catch((cause: unknown) => {
        throw new SvcError('unavailable', 'The SQLite store does not answer; check the data directory.', undefined, {
          cause,
        });
      });
    },
    close: async () => {
      await queue.drained();
      await wal?.close();
      await db.destroy();
      if (!inMemory) await writeDb.destroy();
    },
  };
}

/** Between the statements of a long write others get their turn: a statement here never waits for anything by itself. */
function giveWay(): KyselyPlugin {
  const pause = slicer();
  return {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      await pause();
      return result;
    },
  };
}

function connect(file: string): SqliteDatabase.Database {
  const database = new SqliteDatabase(file);
  database.pragma('journal_mode = WAL');
  // A commit does not wait for the disk here: `Wal` does, off the event loop, before a durable write is acknowledged.
  database.pragma('synchronous = NORMAL');
  database.pragma('foreign_keys = OFF');
  database.pragma('busy_timeout = 10000');
  database.pragma('cache_size = -65536');
  database.pragma('temp_store = MEMORY');
  // Moving the log is the work of a thread of its own; here only should that fail. A log that was moved gives its space back.
  database.pragma('wal_autocheckpoint = 128000');
  database.pragma(`journal_size_limit = ${4 * 2 ** 20}`);
  keepPrepared(database);
  return database;
}
