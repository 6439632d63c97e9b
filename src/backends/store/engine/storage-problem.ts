import { SvcError } from '../../../core/errors.js';

/** What keeps a store from reading or writing. */
export type StorageReason = 'full' | 'read_only' | 'io' | 'damaged' | 'locked' | 'lost' | 'down';

const SENTENCES: Readonly<Record<Exclude<StorageReason, 'down'>, string>> = {
  full: 'The disk of the store is full; free space on it, then try again.',
  read_only: 'The store cannot be written; check the permissions of its directory and that its disk is not read-only.',
  io: 'The disk of the store fails to read or write; check it, then restart.',
  damaged: 'The store is damaged; stop the service, run `svc doctor` and restore a backup.',
  lost: 'The file of the store was removed or replaced while the service ran, so that what it writes would be lost; put it back, or stop the service and restore a backup.',
  locked: 'Another process keeps the store locked; end it, then try again.',
};

/** Node's error codes of the file system, and SQLite's result codes (sqlite.org/rescode.html). */
const REASONS: ReadonlyArray<readonly [RegExp, keyof typeof SENTENCES]> = [
  [/^(SQLITE_FULL|ENOSPC|EDQUOT)$/, 'full'],
  [/^(SQLITE_READONLY.*|SQLITE_CANTOPEN.*|SQLITE_PERM|EROFS|EACCES|EPERM)$/, 'read_only'],
  [/^(SQLITE_CORRUPT.*|SQLITE_NOTADB)$/, 'damaged'],
  [/^(SQLITE_IOERR.*|EIO)$/, 'io'],
  [/^(SQLITE_BUSY.*|SQLITE_LOCKED.*)$/, 'locked'],
];

/** PostgreSQL's SQLSTATE codes (manual, appendix A): disk_full, read_only_sql_transaction, io_error, XX001, XX002. */
const SQLSTATES: Readonly<Record<string, keyof typeof SENTENCES>> = {
  '53100': 'full',
  '25006': 'read_only',
  '58030': 'io',
  XX001: 'damaged',
  XX002: 'damaged',
};

/**
 * Returns `unavailable` with the reason (also in `details.reason`, with `details.part: 'store'`) for an error of SQLite,
 * PostgreSQL or the file system that the store's disk or its permissions cause; any other error as it is.
 */
export function storageProblem(error: unknown): unknown {
  if (error instanceof SvcError) return error;
  const code = (error as { code?: unknown } | null | undefined)?.code;
  if (typeof code !== 'string') return error;
  const reason = SQLSTATES[code] ?? REASONS.find(([pattern]) => pattern.test(code))?.[1];
  if (reason === undefined) return error;
  return new SvcError(
    'unavailable',
    SENTENCES[reason],
    { part: 'store', reason },
    { cause: error, retriable: reason === 'full' || reason === 'locked' },
  );
}

/** Sentence on a log that is gone: SQLite still has it open, and moves what it holds into the file of the store at its end. */
const LOST_LOG =
  'The log of the store (svc.sqlite-wal) was removed or replaced while the service ran, so that what it writes could be lost; stop the service, which keeps what was written before, and start it again.';

/** Returns the error of a store whose file, or whose log, is not in its place any more. */
export function lostStore(what: 'file' | 'log'): SvcError {
  return new SvcError('unavailable', what === 'log' ? LOST_LOG : SENTENCES.lost, { part: 'store', reason: 'lost' });
}

/** Returns the reason of an error that `storageProblem` made; undefined for any other. */
export function storageReason(error: unknown): StorageReason | undefined {
  if (!(error instanceof SvcError) || error.details?.part !== 'store') return undefined;
  return error.details.reason as StorageReason;
}

/** Tells whether an error says that the store was closed before the statement came, in Kysely's or the driver's words. */
export function saysClosed(error: unknown): boolean {
  return (
    error instanceof Error && /driver has already been destroyed|database connection is not open/.test(error.message)
  );
}

/** Runs `work` and throws its errors as `storageProblem` translates them. */
export function translated<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw storageProblem(error);
  }
}
