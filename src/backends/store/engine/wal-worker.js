// Moves a write-ahead log into its database file, in a thread of its own, since SQLite blocks its thread meanwhile. Plain
// JavaScript, so that the same file starts from the source tree and from the build. Protocol: `wal.ts`.
import { parentPort, workerData } from 'node:worker_threads';
import SqliteDatabase from 'better-sqlite3';

// A reader that keeps the log from being emptied makes writes wait no longer than this, ms.
const database = new SqliteDatabase(workerData.file, { fileMustExist: true, timeout: 100 });
// Not FULL: a checkpoint waits for the disk with either, before it moves pages and after.
database.pragma('synchronous = NORMAL');

parentPort.on('message', (mode) => {
  let moved = false;
  try {
    const [{ busy, log, checkpointed }] = database.pragma(`wal_checkpoint(${mode})`);
    moved = busy === 0 && log === checkpointed;
  } catch {
    // The log stays as it is; a later write asks again.
  }
  parentPort.postMessage({ moved });
});
