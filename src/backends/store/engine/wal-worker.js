// Moves a write-ahead log into its database file, in a thread of its own, since SQLite blocks its thread meanwhile. Plain
// JavaScript, so that the same file starts from the source tree and from the build. Protocol: `wal.ts`.
import { parentPort, workerData } from 'node:worker_threads';
import SqliteDatabase from 'better-sqlite3';

const database = new SqliteDatabase(workerData.file, { fileMustExist: true });
// Not FULL: a passive checkpoint waits for the disk with either, before it moves pages and after.
database.pragma('synchronous = NORMAL');

parentPort.on('message', () => {
  let failed;
  try {
    database.pragma('wal_checkpoint(PASSIVE)');
  } catch (error) {
    failed = String(error);
  }
  parentPort.postMessage({ failed });
});
