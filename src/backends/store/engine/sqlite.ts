import SqliteDatabase from 'better-sqlite3';
import { type Dialect, Kysely, type KyselyPlugin, type RawBuilder, SqliteDialect, sql } from 'kysely';
import { slicer } from '../../../core/async/slices.js';
import { SvcError } from '../../../core/errors.js';
import { columnsOf } from '../columns.js';
import type { Database } from '../schema.js';
import type { Store } from '../scope.js';
import { migrateStore } from './migrate.js';
import { keepPrepared } from './prepared.js';
import { sameFile } from './same-file.js';
import { type StorageReason, storageProblem, storageReason, translated } from './storage-problem.js';
import { TranslatingDialect } from './translating-dialect.js';
import { Wal } from './wal.js';
import { WriteQueue } from './write-queue.js';

/**
 * Opens (and migrates) the store in one file; `:memory:` for tests and clients without a directory. Throws `unavailable`
 * with the reason where the file is damaged or its disk is full, read-only or failing.
 */
export async function openSqlite(file: string): Promise<Store> {
  const { store, migrate } = unmigratedSqlite(file);
  await migrate();
  return store;
}

/** Returns the store of a file without its tables: these are there once `migrate` has resolved. */
export function unmigratedSqlite(file: string): { readonly store: Store; readonly migrate: () => Promise<void> } {
  const writer = translated(() => connect(file, WRITER_CACHE));
  const inMemory = file === ':memory:';
  const reader = inMemory ? writer : translated(() => connect(file, READER_CACHE));
  let hasTables = false;
  const translate = (error: unknown): unknown => (hasTables ? storageProblem(error) : withoutTables(error));
  const db = new Kysely<Database>({ dialect: dialectOf(reader, translate) });
  const writeDb = inMemory ? db : new Kysely<Database>({ dialect: dialectOf(writer, translate), plugins: [giveWay()] });
  const wal = inMemory ? undefined : new Wal(file);
  const requireSameFile = inMemory ? () => undefined : sameFile(file);
  const requireSame = (): void => {
    requireSameFile();
    wal?.requireSame();
  };
  const queue = new WriteQueue(
    {
      room: async () => {
        translated(requireSame);
        await wal?.room();
      },
      begin: () => translated(() => void writer.exec('begin immediate')),
      commit: () => translated(() => void writer.exec('commit')),
      synced: async () => wal?.synced(),
      rollback: () => void (writer.inTransaction && writer.exec('rollback')),
      savepoint: () => void writer.exec('savepoint job'),
      release: () => void writer.exec('release job'),
      undo: () => void writer.exec('rollback to job; release job'),
    },
    writeDb,
  );
  // Set while writes fail because of the disk: reads still work then, so a read alone would report a healthy store.
  let failing: StorageReason | undefined;
  const write: Store['write'] = async (work, options) => {
    try {
      const value = await queue.run(work, options?.durable ?? true);
      // A full disk may still take what fits into free pages: whether there is room again is asked by `health`.
      if (failing !== 'full') failing = undefined;
      return value;
    } catch (error) {
      failing = storageReason(error) ?? failing;
      throw error;
    }
  };
  const store: Store = {
    dialect: 'sqlite',
    db,
    write,
    // A connection does not count its own commits, so one that reads and writes has no such number.
    ...(inMemory ? {} : { lastCommit: () => translated(() => commitsSeen(reader)) }),
    health: async () => {
      await sql`select 1`.execute(db).catch((error: unknown) => {
        if (storageReason(error) !== undefined) throw error;
        throw new SvcError('unavailable', 'The SQLite store does not answer; check the data directory.', undefined, {
          cause: error,
        });
      });
      translated(requireSame);
      if (failing === undefined) return;
      for (const value of [sql<number>`zeroblob(${PROBE_BYTES})`, sql<number>`0`])
        await write((scope) => probeWrite(scope.db, value));
      failing = undefined;
    },
    integrity: () => integrityProblems(db),
    close: async () => {
      await queue.drained();
      await wal?.close();
      await db.destroy();
      if (!inMemory) await writeDb.destroy();
      // A connection that Kysely never used is not closed by it.
      reader.close();
      writer.close();
    },
  };
  const migrate = async (): Promise<void> => {
    try {
      if (!inMemory) checkDamage(reader);
      await migrateStore(writeDb as unknown as Kysely<never>, columnsOf('sqlite'));
      hasTables = true;
    } catch (error) {
      writer.close();
      reader.close();
      throw storageProblem(error);
    }
  };
  return { store, migrate };
}

function commitsSeen(reader: SqliteDatabase.Database): number {
  return reader.prepare('pragma data_version').pluck().get() as number;
}

function dialectOf(database: SqliteDatabase.Database, translate: (error: unknown) => unknown): Dialect {
  return new TranslatingDialect(new SqliteDialect({ database }), translate);
}

/** Returns `unavailable` for a statement that came before the tables were made. */
function withoutTables(error: unknown): unknown {
  if (!(error instanceof Error) || !error.message.startsWith('no such table')) return storageProblem(error);
  const sentence = 'The store has no tables before connect() has resolved; call connect() first.';
  return new SvcError('unavailable', sentence, undefined, { cause: error });
}

/** More than a small write finds in free pages. */
const PROBE_BYTES = 2 ** 20;

/** Writes one row: fails for as long as the disk does. */
async function probeWrite(db: Kysely<Database>, value: RawBuilder<number>): Promise<void> {
  await db
    .insertInto('counter')
    .values({ name: 'store:probe', value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}

/** Bytes of a file whose pages are all checked when it is opened; a larger one has only its header and schema read. */
const CHECKED_AT_OPEN = 64 * 2 ** 20;

/** Throws `unavailable` (damaged) where SQLite finds pages that are wrong. */
function checkDamage(database: SqliteDatabase.Database): void {
  const pages = Number(database.pragma('page_count', { simple: true }));
  const bytes = pages * Number(database.pragma('page_size', { simple: true }));
  const check = bytes <= CHECKED_AT_OPEN ? 'quick_check(1)' : 'schema_version';
  const found = database.pragma(check, { simple: true });
  if (typeof found === 'string' && found !== 'ok') throw Object.assign(new Error(found), { code: 'SQLITE_CORRUPT' });
}

/** Returns what SQLite's integrity check finds, at most 100 lines; empty where the file is sound. */
async function integrityProblems(db: Kysely<Database>): Promise<string[]> {
  try {
    const { rows } = await sql<{ integrity_check: string }>`pragma integrity_check(100)`.execute(db);
    return rows.map((row) => row.integrity_check).filter((line) => line !== 'ok');
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}

/** Gives way between the statements of a long write: a statement here never waits for anything by itself. */
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

/** Page caches, KiB. A commit writes what changed in the writer's at once: a larger one holds the event loop longer. */
const WRITER_CACHE = 16_384;
const READER_CACHE = 65_536;

function connect(file: string, cache: number): SqliteDatabase.Database {
  const database = new SqliteDatabase(file);
  database.pragma('journal_mode = WAL');
  // A commit does not wait for the disk here: `Wal` does, off the event loop, before a durable write is acknowledged.
  database.pragma('synchronous = NORMAL');
  database.pragma('foreign_keys = OFF');
  database.pragma('busy_timeout = 10000');
  database.pragma(`cache_size = -${cache}`);
  database.pragma('temp_store = MEMORY');
  // Moving and emptying the log is the work of a thread of its own; here only should that fail.
  database.pragma('wal_autocheckpoint = 128000');
  keepPrepared(database);
  return database;
}
