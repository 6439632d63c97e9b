import {
  chmodSync,
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import SqliteDatabase from 'better-sqlite3';
import { create } from 'tar';
import { storageProblem, translated } from '../../backends/store/engine/storage-problem.js';
import { STAGING, synced, MARKER as UNFINISHED_RESTORE } from '../../compose/finish-restore.js';
import { SvcError } from '../../core/errors.js';
import { VERSION } from '../../core/version.js';
import { holderFiles, tryBackupLock } from '../../data-directory.js';
import { diskProblem, readProblem } from './disk-problem.js';
import { MANIFEST, type Manifest, PARTS, partsOf } from './manifest.js';
import { requireOutside } from './outside-directory.js';

const STORE = 'svc.sqlite';
/** Pages copied before others get their turn. */
const PAGES = 500;

export interface BackupOptions {
  readonly directory: string;
  readonly file: string;
  /** Replaces a file that is there. */
  readonly force: boolean;
  readonly progress: (done: number, total: number, what: string) => void;
}

/**
 * Writes one state of a data directory into a tar file (compressed where its name ends with `.gz` or `.tgz`), also while
 * a service uses the directory. Graphs of vector indexes are left out: they are rebuilt from their rows. The file appears
 * under its name when it is complete.
 */
export async function makeBackup(options: BackupOptions): Promise<Manifest> {
  const { directory, file } = options;
  requireStore(directory);
  requireOutside(directory, file, 'name a file outside of it, for a backup does not hold itself');
  const unlock = tryBackupLock(directory, 'backup');
  if (unlock === null) {
    throw new SvcError('conflict', `A restore of ${directory} is under way; make the backup when it is done.`);
  }
  try {
    return await backUp(options);
  } catch (error) {
    throw diskProblem(error, file);
  } finally {
    unlock();
  }
}

/** Throws where a directory holds no store, or belongs to another user. */
function requireStore(directory: string): void {
  const cause = readProblem(join(directory, STORE));
  if (cause === undefined) return;
  if (cause.code === 'EACCES') throw unreadable(directory, cause);
  throw new SvcError('not_found', `${directory} holds no store; set SVC_DATA_DIR or --data-dir.`, undefined, { cause });
}

function unreadable(path: string, cause: unknown): SvcError {
  const sentence = `${path} may not be read by this user; make the backup as the user that runs the service.`;
  return new SvcError('forbidden', sentence, undefined, { cause });
}

async function backUp({ directory, file, force, progress }: BackupOptions): Promise<Manifest> {
  if (existsSync(join(directory, UNFINISHED_RESTORE))) {
    const sentence = `A restore of ${directory} is not finished; run \`svc doctor\` or start the service, which finish it, then make the backup.`;
    throw new SvcError('conflict', sentence);
  }
  const target = resolve(file);
  if (existsSync(target) && !force) {
    throw new SvcError('conflict', `${file} exists; choose another name, or pass --force to replace it.`);
  }
  removeLeftovers(target);
  const folder = `${target}.partial-${process.pid}`;
  mkdirSync(join(folder, PARTS), { recursive: true, mode: 0o700 });
  try {
    await copyStore(join(directory, STORE), join(folder, PARTS, STORE), progress);
    await copyFiles(directory, join(folder, PARTS), isKept);
    const manifest: Manifest = {
      format: 'svc-backup',
      version: 1,
      created_at: new Date().toISOString(),
      service_version: VERSION,
      parts: await partsOf(join(folder, PARTS)),
    };
    writeFileSync(join(folder, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`);
    const archive = join(folder, 'archive');
    // The manifest comes first, so that a reader sees at once what it has before it.
    await create({ file: archive, cwd: folder, portable: true, gzip: /\.t?gz$/.test(target), mode: 0o600 }, [
      MANIFEST,
      PARTS,
    ]);
    synced(archive);
    renameSync(archive, target);
    synced(dirname(target));
    return manifest;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Copies the store as it is now, page by page; writes of others go on and do not show in the copy. */
async function copyStore(from: string, to: string, progress: BackupOptions['progress']): Promise<void> {
  const database = translated(() => new SqliteDatabase(from, { readonly: true, timeout: 10_000 }));
  try {
    translated(() => {
      // Holds the state that is copied: without it each write of another process would begin the copy anew.
      database.exec('begin');
      database.prepare('select count(*) from sqlite_master').get();
    });
    await database
      .backup(to, {
        progress: ({ totalPages, remainingPages }) => {
          progress(totalPages - remainingPages, totalPages, 'pages of the store');
          return PAGES;
        },
      })
      .catch((error: unknown) => {
        throw failedToRead(error) ? storageProblem(error) : error;
      });
    database.exec('rollback');
  } finally {
    database.close();
  }
  synced(to);
}

/** Tells the files that come along from locks, logs of the store and what is rebuilt. */
function isKept(name: string): boolean {
  const isStore = name === STORE || name.startsWith(`${STORE}-`);
  return (
    !isStore &&
    !holderFiles.includes(name) &&
    name !== 'vectors' &&
    !name.startsWith(STAGING) &&
    !name.startsWith(UNFINISHED_RESTORE) &&
    !/^svc\.(lock|holder)/.test(name)
  );
}

async function copyFiles(from: string, to: string, isWanted: (name: string) => boolean): Promise<void> {
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    if (!isWanted(entry.name)) continue;
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    // To open anything else, such as a pipe, may wait without end.
    if (entry.isDirectory() || entry.isFile()) requireRight(source);
    if (entry.isDirectory()) {
      mkdirSync(target, { recursive: true, mode: 0o700 });
      await copyFiles(source, target, () => true);
    } else if (entry.isFile() && existsSync(source)) await copyFile(source, target);
  }
}

/** Copies a file with its mode; throws `unavailable` naming it where it is not the copy that fails but the reading. */
async function copyFile(source: string, target: string): Promise<void> {
  try {
    await pipeline(createReadStream(source), createWriteStream(target));
  } catch (cause) {
    if (!failedToRead(cause)) throw cause;
    const sentence = `${source} cannot be read, for its disk fails; check the disk, and move the data directory to another one.`;
    throw new SvcError('unavailable', sentence, { reason: 'io' }, { cause });
  }
  chmodSync(target, statSync(source).mode);
}

/** Returns whether an error of the file system or of SQLite came from reading: only what is copied is read. */
function failedToRead(error: unknown): boolean {
  const { syscall, code } = error as { readonly syscall?: unknown; readonly code?: unknown };
  return syscall === 'read' || /^SQLITE_IOERR_(SHORT_)?READ$/.test(String(code));
}

/** Throws for a file or directory that this user may not read: what fails later is where the backup is written. */
function requireRight(path: string): void {
  const cause = readProblem(path);
  if (cause?.code === 'EACCES') throw unreadable(path, cause);
}

/** Removes what a killed backup to the same file left behind. */
function removeLeftovers(target: string): void {
  const prefix = `${basename(target)}.partial-`;
  for (const name of existsSync(dirname(target)) ? readdirSync(dirname(target)) : []) {
    const path = join(dirname(target), name);
    if (name.startsWith(prefix) && statSync(path).isDirectory()) rmSync(path, { recursive: true, force: true });
  }
}
