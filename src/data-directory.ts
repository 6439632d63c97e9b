import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { SvcError } from './core/errors.js';

/** Who holds a data directory, as its card in the directory says. */
export interface Holder {
  readonly pid: number;
  /** `serve`, `ingest`, …: the command that took the lock. */
  readonly command: string;
  /** ISO 8601. */
  readonly since: string;
  /** Loopback address and token under which the holder takes calls; absent while it does not. */
  readonly door?: { readonly url: string; readonly token: string };
}

export interface DirectoryLock {
  /** Says where the holder takes calls; the file is readable by its owner only. */
  publish(door: { url: string; token: string }): void;
  release(): void;
}

const LOCK_FILE = 'svc.lock';
const HOLDER_FILE = 'svc.holder.json';
const POLL_MS = 50;

/**
 * Takes the directory, or answers null when another process has it.
 * The lock is an exclusive lock of SQLite on `svc.lock`: the operating system drops it with the process, however that
 * ends, so a stale one cannot exist. `svc.holder.json` beside it only says who holds it.
 */
export function tryLock(directory: string, command: string): DirectoryLock | null {
  makeDirectory(directory);
  const database = new SqliteDatabase(join(directory, LOCK_FILE), { timeout: 0 });
  try {
    // No journal file: nothing is ever written to it.
    database.pragma('journal_mode = memory');
    database.exec('begin exclusive');
  } catch (cause) {
    database.close();
    if ((cause as { code?: string }).code?.startsWith('SQLITE_BUSY')) return null;
    throw new SvcError('unavailable', `The data directory ${directory} cannot be locked.`, undefined, { cause });
  }
  const card: Holder = { pid: process.pid, command, since: new Date().toISOString() };
  writeCard(directory, card);
  return {
    publish: (door) => writeCard(directory, { ...card, door }),
    release: () => {
      if (!database.open) return;
      rmSync(join(directory, HOLDER_FILE), { force: true });
      database.close();
    },
  };
}

/** Who holds the directory, or null. Just after a change of hands this can be the one before. */
export function holderOf(directory: string): Holder | null {
  try {
    return JSON.parse(readFileSync(join(directory, HOLDER_FILE), 'utf8')) as Holder;
  } catch {
    return null;
  }
}

/** Takes the directory for `serve`: waits for short commands, refuses beside another `serve`. */
export async function lockForServing(directory: string, waitMs: number): Promise<DirectoryLock> {
  const deadline = Date.now() + waitMs;
  for (;;) {
    const lock = tryLock(directory, 'serve');
    if (lock !== null) return lock;
    const holder = holderOf(directory);
    if (holder?.command === 'serve' && isAlive(holder.pid)) {
      const where = holder.door === undefined ? '' : ' (other commands reach it by themselves)';
      throw new SvcError(
        'conflict',
        `A service already runs on ${directory}, process ${holder.pid}${where}; stop it, or set another SVC_DATA_DIR.`,
      );
    }
    if (Date.now() >= deadline) throw inUse(directory, holder, waitMs);
    await pause();
  }
}

/** The lock, or the door of the service that has it: what a command other than `serve` works through. */
export async function lockOrDoor(
  directory: string,
  command: string,
  waitMs: number,
): Promise<DirectoryLock | NonNullable<Holder['door']>> {
  const deadline = Date.now() + waitMs;
  for (;;) {
    const lock = tryLock(directory, command);
    if (lock !== null) return lock;
    const holder = holderOf(directory);
    if (holder?.door !== undefined && isAlive(holder.pid)) return holder.door;
    if (Date.now() >= deadline) throw inUse(directory, holder, waitMs);
    await pause();
  }
}

/** True while a process of that id exists, whoever it belongs to. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function inUse(directory: string, holder: Holder | null, waitedMs: number): SvcError {
  const who = holder === null ? 'another process' : `\`${holder.command}\`, process ${holder.pid}`;
  return new SvcError(
    'unavailable',
    `The data directory ${directory} is in use by ${who}, still after ${waitedMs / 1000} s; try again when it is done.`,
    undefined,
    { retriable: true },
  );
}

function makeDirectory(directory: string): void {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw new SvcError(
      'forbidden',
      `The data directory ${directory} cannot be made; set SVC_DATA_DIR to a writable one.`,
      undefined,
      { cause },
    );
  }
}

function writeCard(directory: string, card: Holder): void {
  const path = join(directory, HOLDER_FILE);
  const temporary = `${path}.${process.pid}`;
  writeFileSync(temporary, JSON.stringify(card), { mode: 0o600 });
  // The mode above only counts for a new file.
  chmodSync(temporary, 0o600);
  renameSync(temporary, path);
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, POLL_MS));
}
