import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import SqliteDatabase from 'better-sqlite3';
import { SvcError } from '../../core/errors.js';

const POLL_MS = 5;

/**
 * Runs `work` while no other process or caller does under the same lock file. The lock is an exclusive lock of SQLite: the
 * operating system drops it with the process, however that ends. Throws `unavailable` when it is not free in `waitMs`.
 */
export async function withFileLock<T>(file: string, work: () => T | Promise<T>, waitMs = 10_000): Promise<T> {
  mkdirSync(dirname(file), { recursive: true });
  const deadline = Date.now() + waitMs;
  const database = new SqliteDatabase(file, { timeout: 0 });
  try {
    while (!begun(database)) {
      if (Date.now() >= deadline) {
        throw new SvcError('unavailable', `${file} is locked by another process; try again.`, undefined, {
          retriable: true,
        });
      }
      await sleep(POLL_MS * (1 + Math.random()));
    }
    return await work();
  } finally {
    database.close();
  }
}

function begun(database: SqliteDatabase.Database): boolean {
  try {
    // No journal file: nothing is ever written to it.
    database.pragma('journal_mode = memory');
    database.exec('begin exclusive');
    return true;
  } catch (error) {
    if ((error as { code?: string }).code?.startsWith('SQLITE_BUSY')) return false;
    throw error;
  }
}
