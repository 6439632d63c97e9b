import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { holderFiles } from '../data-directory.js';

/** Notes a restore that is committed and not finished; lies in the directory. */
export const MARKER = 'svc.restore.json';
/** Folders of restores begin so; each lies in the directory that it restores. */
export const STAGING = 'svc.restore-';

interface Restore {
  /** Folder with what was verified, in the directory. */
  readonly staging: string;
  /** Names at the top of the directory after the restore. */
  readonly names: readonly string[];
}

/**
 * Puts what lies verified in a folder of a directory in the place of all that the directory holds. From the moment that
 * this is noted the directory is as restored: what a kill leaves undone, the next start does (`finishRestore`).
 */
export function commitRestore(directory: string, staging: string): void {
  const restore: Restore = { staging, names: readdirSync(join(directory, staging)) };
  const temporary = join(directory, `${MARKER}.${process.pid}`);
  writeFileSync(temporary, JSON.stringify(restore), { mode: 0o600 });
  synced(temporary);
  renameSync(temporary, join(directory, MARKER));
  synced(directory);
  finishRestore(directory);
}

/** Finishes a restore that was committed; to be called by whoever holds the directory, before it reads the store. */
export function finishRestore(directory: string): void {
  const marker = join(directory, MARKER);
  if (!existsSync(marker)) return;
  const { staging, names } = JSON.parse(readFileSync(marker, 'utf8')) as Restore;
  const staged = join(directory, staging);
  const keep = new Set([...holderFiles, MARKER, staging]);
  for (const name of readdirSync(directory)) {
    // One that is not staged any more was put into place before the kill.
    if (keep.has(name) || (names.includes(name) && !existsSync(join(staged, name)))) continue;
    rmSync(join(directory, name), { recursive: true, force: true });
  }
  for (const name of names) {
    if (existsSync(join(staged, name))) renameSync(join(staged, name), join(directory, name));
  }
  synced(directory);
  rmSync(staged, { recursive: true, force: true });
  rmSync(marker);
  synced(directory);
}

/** Waits until a file, or the names in a directory, are on the disk. */
export function synced(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
