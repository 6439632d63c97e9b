import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { storageProblem, storageReason, translated } from './backends/store/engine/storage-problem.js';
import { SvcError } from './core/errors.js';

/** Names the process that holds a data directory, as the holder file in the directory says. */
export interface Holder {
  readonly pid: number;
  /** `serve`, `ingest`, …: the command that took the lock. */
  readonly command: string;
  /** ISO 8601. */
  readonly since: string;
  /** Loopback address and token of the local RPC server; absent while the holder serves none. */
  readonly rpc?: PublishedRpc;
}

export interface PublishedRpc {
  readonly url: string;
  readonly token: string;
  /** Why variants are not served that were to be. */
  readonly left_out?: readonly string[];
}

export interface DirectoryLock {
  /** Writes the address of the local RPC server into the holder file, which only its owner can read. */
  publish(rpc: PublishedRpc): void;
  release(): void;
}

const LOCK_FILE = 'svc.lock';
const HOLDER_FILE = 'svc.holder.json';
const BACKUP_LOCK_FILE = 'svc.backup.lock';
/** Names of the files that say who uses the directory. */
export const holderFiles: readonly string[] = [LOCK_FILE, HOLDER_FILE, BACKUP_LOCK_FILE];
const POLL_MS = 50;

/**
 * Locks the directory, or returns null when another process holds it.
 * The lock is an exclusive lock of SQLite on `svc.lock`: the operating system releases it with the process, however that
 * ends, so a stale lock cannot exist. `svc.holder.json` beside it only says who holds it.
 */
export function tryLock(directory: string, command: string): DirectoryLock | null {
  makeDirectory(directory);
  const database = openLockFile(directory);
  try {
    // No journal file: nothing is ever written to it.
    database.pragma('journal_mode = memory');
    database.exec('begin exclusive');
  } catch (cause) {
    database.close();
    if ((cause as { code?: string }).code?.startsWith('SQLITE_BUSY')) return null;
    throw new SvcError('unavailable', `The data directory ${directory} cannot be locked.`, undefined, { cause });
  }
  const holder: Holder = { pid: process.pid, command, since: new Date().toISOString() };
  try {
    translated(() => writeHolder(directory, holder));
  } catch (error) {
    database.close();
    throw error;
  }
  return {
    publish: (rpc) => writeHolder(directory, { ...holder, rpc }),
    release: () => {
      if (!database.open) return;
      rmSync(join(directory, HOLDER_FILE), { force: true });
      database.close();
    },
  };
}

/** Locks a directory that nothing may be using; throws `conflict`, with what to do, where something does. */
export function lockUnused(directory: string, command: string, fix: string): DirectoryLock {
  const lock = tryLock(directory, command);
  if (lock !== null) return lock;
  const holder = holderOf(directory);
  const who = holder === null ? 'A process' : `\`${holder.command}\`, process ${holder.pid},`;
  throw new SvcError('conflict', `${who} uses ${directory}; ${fix}.`);
}

function openLockFile(directory: string, name: string = LOCK_FILE): SqliteDatabase.Database {
  const path = join(directory, name);
  try {
    return new SqliteDatabase(path, { timeout: 0 });
  } catch (cause) {
    const problem = storageProblem(cause);
    if (storageReason(problem) === 'full') throw problem;
    const sentence = `The lock file ${path} cannot be opened; it must be a file that this user may write, on a disk that is not read-only. Move away what is there.`;
    throw new SvcError('unavailable', sentence, undefined, { cause });
  }
}

/**
 * Keeps backups and restores of a directory apart: any number of backups at once, beside a service too, or one restore.
 * Returns what to call at the end, or null where the other is under way. The lock ends with the process.
 */
export function tryBackupLock(directory: string, use: 'backup' | 'restore'): (() => void) | null {
  const database = openLockFile(directory, BACKUP_LOCK_FILE);
  try {
    database.pragma('journal_mode = memory');
    if (use === 'restore') database.exec('begin exclusive');
    else {
      // A read holds a shared lock until the transaction ends.
      database.exec('begin');
      database.prepare('select count(*) from sqlite_master').get();
    }
  } catch (cause) {
    database.close();
    if ((cause as { code?: string }).code?.startsWith('SQLITE_BUSY')) return null;
    throw new SvcError('unavailable', `The data directory ${directory} cannot be locked.`, undefined, { cause });
  }
  return () => database.close();
}

/**
 * Reads who holds the directory; null where no process does. Just after a change this can still be the previous holder.
 */
export function holderOf(directory: string): Holder | null {
  try {
    return JSON.parse(readFileSync(join(directory, HOLDER_FILE), 'utf8')) as Holder;
  } catch {
    return null;
  }
}

/** How a command waits for the directory. */
export interface Wait {
  /** The longest time, ms. */
  readonly waitMs: number;
  /** Called once, after a second, with a sentence that says who holds the directory and what can be done. */
  readonly waiting: (sentence: string) => void;
}

/** A command that waits longer says so, ms. */
const PATIENCE_MS = 1000;

/** Locks the directory for `serve`: waits for short commands; throws `conflict` beside another `serve`. */
export async function lockForServing(directory: string, wait: Wait): Promise<DirectoryLock> {
  const next = betweenTries(directory, wait);
  for (;;) {
    const lock = tryLock(directory, 'serve');
    if (lock !== null) return lock;
    const holder = holderOf(directory);
    if (holder?.command === 'serve' && isAlive(holder.pid)) {
      const where = holder.rpc === undefined ? '' : ' (other commands reach it by themselves)';
      throw new SvcError(
        'conflict',
        `A service already runs on ${directory}, process ${holder.pid}${where}; stop it, or set another SVC_DATA_DIR.`,
      );
    }
    await next(holder);
  }
}

/** Takes the lock, or returns the local RPC address of the service that holds it. For commands other than `serve`. */
export async function lockOrRpc(
  directory: string,
  command: string,
  wait: Wait,
): Promise<DirectoryLock | NonNullable<Holder['rpc']>> {
  const next = betweenTries(directory, wait);
  for (;;) {
    const lock = tryLock(directory, command);
    if (lock !== null) return lock;
    const holder = holderOf(directory);
    if (holder?.rpc !== undefined && isAlive(holder.pid)) return holder.rpc;
    await next(holder);
  }
}

/** Returns what to call between two tries: it pauses, says once who is waited for, and throws where that takes too long. */
function betweenTries(directory: string, { waitMs, waiting }: Wait): (holder: Holder | null) => Promise<void> {
  const deadline = Date.now() + waitMs;
  let sayAt = Date.now() + PATIENCE_MS;
  return async (holder) => {
    const now = Date.now();
    if (now >= deadline) throw inUse(directory, holder, waitMs);
    if (now >= sayAt) {
      waiting(waitsFor(directory, holder, deadline - now));
      sayAt = Number.POSITIVE_INFINITY;
    }
    await pause();
  };
}

/** Returns whether a process of that id exists, whichever user owns it. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function nameOf(holder: Holder | null): string {
  return holder === null ? 'another process' : `\`${holder.command}\`, process ${holder.pid}`;
}

function waitsFor(directory: string, holder: Holder | null, leftMs: number): string {
  const left = `${Math.max(1, Math.ceil(leftMs / 1000))} s`;
  return `The data directory ${directory} is in use by ${nameOf(holder)}; waiting for its end, for ${left} at most. SVC_LOCK_WAIT_SECONDS sets how long. With \`serve\` running on a directory no command waits for another.`;
}

function inUse(directory: string, holder: Holder | null, waitedMs: number): SvcError {
  return new SvcError(
    'unavailable',
    `The data directory ${directory} is in use by ${nameOf(holder)}, still after ${waitedMs / 1000} s; try again when it is done.`,
    undefined,
    { retriable: true },
  );
}

/** Makes a directory with its parents one by one (below /proc the recursive call never ends); throws `forbidden`. */
export function makeDirectory(directory: string): void {
  makeMissing(directory);
}

/** Throws as `makeDirectory` does where the directory cannot be made; leaves nothing behind. */
export function requireMakeable(directory: string): void {
  // One that another command uses meanwhile is not empty, and stays.
  for (const path of makeMissing(directory).reverse()) {
    try {
      rmdirSync(path);
    } catch {
      return;
    }
  }
}

/** Makes a directory with those above it; returns the paths that were missing, outermost first. */
function makeMissing(directory: string): string[] {
  const missing: string[] = [];
  for (let at = resolve(directory); !existsSync(at); at = dirname(at)) missing.unshift(at);
  try {
    for (const path of missing) makeOne(path);
  } catch (cause) {
    throw new SvcError(
      'forbidden',
      `The data directory ${directory} cannot be made; set SVC_DATA_DIR to a writable one.`,
      undefined,
      { cause },
    );
  }
  return missing;
}

function makeOne(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another command made it meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

function writeHolder(directory: string, holder: Holder): void {
  const path = join(directory, HOLDER_FILE);
  const temporary = `${path}.${process.pid}`;
  writeFileSync(temporary, JSON.stringify(holder), { mode: 0o600 });
  // The mode above only counts for a new file.
  chmodSync(temporary, 0o600);
  renameSync(temporary, path);
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, POLL_MS));
}
