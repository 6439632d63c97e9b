import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { extract } from 'tar';
import { openSqlite } from '../../backends/store/engine/sqlite.js';
import { commitRestore, finishRestore, STAGING, synced } from '../../compose/finish-restore.js';
import { SvcError } from '../../core/errors.js';
import { holderFiles, lockUnused, makeDirectory, tryBackupLock } from '../../data-directory.js';
import { diskProblem, readProblem } from './disk-problem.js';
import { damaged, MANIFEST, type Manifest, PARTS, parseManifest, requireParts } from './manifest.js';
import { requireOutside } from './outside-directory.js';

export interface RestoreOptions {
  readonly directory: string;
  readonly file: string;
  /** Replaces what the directory holds. */
  readonly force: boolean;
}

/**
 * Puts a backup in the place of a data directory that no process uses. Everything is verified beside it first; the
 * directory is as before or as restored, whenever the process ends.
 */
export async function restoreBackup({ directory, file, force }: RestoreOptions): Promise<Manifest> {
  requireReadable(file);
  makeDirectory(directory);
  requireOutside(directory, file, 'move the backup out of it first, for a restore replaces all that it holds');
  const lock = lockUnused(directory, 'restore', 'stop it first, or restore into another directory');
  const unlock = tryBackupLock(directory, 'restore');
  if (unlock === null) {
    lock.release();
    throw new SvcError('conflict', `A backup of ${directory} is being made; restore when it is done.`);
  }
  try {
    finishRestore(directory);
    const names = readdirSync(directory).filter((name) => !holderFiles.includes(name));
    for (const name of names) if (name.startsWith(STAGING)) rmSync(join(directory, name), { recursive: true });
    if (names.some((name) => !name.startsWith(STAGING)) && !force) {
      throw new SvcError(
        'conflict',
        `${directory} is not empty; restore into an empty one, or pass --force to replace it.`,
      );
    }
    return await restoreInto(directory, file);
  } catch (error) {
    throw diskProblem(error, directory);
  } finally {
    unlock();
    lock.release();
  }
}

/** Throws where there is no file to read: what fails later is the disk of the directory. */
function requireReadable(file: string): void {
  if (!existsSync(file)) throw new SvcError('not_found', `${file} does not exist; name a backup.`);
  if (statSync(file).isDirectory()) throw new SvcError('invalid_input', `${file} is a directory; name a backup.`);
  const cause = readProblem(file);
  if (cause === undefined) return;
  const sentence = `${file} may not be read by this user; restore it as its owner, or name another backup.`;
  throw new SvcError('forbidden', sentence, undefined, { cause });
}

async function restoreInto(directory: string, file: string): Promise<Manifest> {
  const staging = mkdtempSync(join(directory, STAGING));
  try {
    const folder = join(staging, 'archive');
    mkdirSync(folder);
    let other: string | undefined;
    // An error thrown in the filter would end the process: the filter runs in an event of the stream.
    const filter = (path: string, entry: object): boolean => {
      if (isPlain(entry)) return true;
      other ??= path;
      return false;
    };
    await extract({ file, cwd: folder, strict: true, filter }).catch((cause: unknown) => {
      const problem = diskProblem(cause, directory);
      throw problem instanceof SvcError ? problem : damaged('it is incomplete or no archive', cause);
    });
    if (other !== undefined) throw damaged(`${other} is neither a file nor a directory`);
    if (!existsSync(join(folder, MANIFEST))) throw damaged('it holds no manifest');
    const manifest = parseManifest(readFileSync(join(folder, MANIFEST), 'utf8'));
    if (!existsSync(join(folder, PARTS))) throw damaged('it holds no data');
    await requireParts(join(folder, PARTS), manifest);
    await openOnce(join(folder, PARTS, 'svc.sqlite'));
    for (const name of readdirSync(join(folder, PARTS))) renameSync(join(folder, PARTS, name), join(staging, name));
    rmSync(folder, { recursive: true });
    for (const { path } of manifest.parts) synced(join(staging, path));
    commitRestore(directory, staging.slice(directory.length + 1));
    return manifest;
  } finally {
    if (!existsSync(join(directory, 'svc.restore.json'))) rmSync(staging, { recursive: true, force: true });
  }
}

/** Opens the store, which checks it and brings its tables to this version; a newer one fails here. */
async function openOnce(path: string): Promise<void> {
  if (!existsSync(path)) throw damaged('it holds no store');
  await (await openSqlite(path)).close();
}

function isPlain(entry: object): boolean {
  const type = 'type' in entry ? entry.type : 'File';
  return type === 'File' || type === 'Directory' || type === 'OldFile';
}
