import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { dirname, extname, join } from 'node:path';

/** Writes a new file, whole or not at all, and waits for the disk. False where the path is taken. */
export function createFile(path: string, text: string): boolean {
  mkdirSync(dirname(path), { recursive: true });
  removeAbandoned(dirname(path));
  const draft = draftIn(dirname(path));
  const file = openSync(draft, 'wx', 0o644);
  try {
    const bytes = Buffer.from(text);
    for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  try {
    const created = linkedOrRenamed(draft, path);
    if (created) syncFolder(dirname(path));
    return created;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** A draft that is older was left by a writer that was killed. */
const ABANDONED_MS = 3600 * 1000;

/** Removes drafts that no writer finishes any more. */
function removeAbandoned(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (!/^\.\d+-\w+\.tmp$/.test(name)) continue;
    const path = join(folder, name);
    const { mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? { mtimeMs: Number.POSITIVE_INFINITY };
    if (mtimeMs < Date.now() - ABANDONED_MS) rmSync(path, { force: true });
  }
}

/** Calls `create` with the path, then with `-2`, `-3`, … before its extension, until one is free; returns that path. */
export function firstFree(path: string, create: (path: string) => boolean): string {
  const extension = extname(path);
  const stem = path.slice(0, path.length - extension.length);
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? path : `${stem}-${number}${extension}`;
    if (create(candidate)) return candidate;
  }
}

/**
 * Moves a file into a folder under its own name, or the next free one; returns the new path. A move that a crash broke off
 * is finished: then the file lies in the folder already. A folder on another file system gets a copy, whole and on its
 * disk before the original goes.
 */
export function moveInto(path: string, name: string, folder: string): string {
  mkdirSync(folder, { recursive: true });
  const moved = twinOf(path, folder) ?? firstFree(join(folder, name), (candidate) => givenTo(path, candidate));
  syncFolder(folder);
  unlinkSync(path);
  return moved;
}

/** Gives a file a second name, or a copy where that name is on another file system; false where it is taken. */
function givenTo(path: string, name: string): boolean {
  try {
    return linked(path, name) || isCopy(path, name);
  } catch (error) {
    if (!withoutLinks(error)) throw error;
    return copied(path, name);
  }
}

/** Returns whether a crash came between a copy to another file system and the removal of its original. */
function isCopy(path: string, name: string): boolean {
  const [original, copy] = [statSync(path), statSync(name)];
  if (original.dev === copy.dev || original.size !== copy.size) return false;
  return readFileSync(path).equals(readFileSync(name));
}

/** Two file systems, or one that has no links. */
function withoutLinks(error: unknown): boolean {
  return ['EXDEV', 'EPERM', 'ENOTSUP'].includes((error as NodeJS.ErrnoException).code ?? '');
}

/** Copies a file to a name that nothing has, by a draft beside it; false where another was faster. */
function copied(path: string, name: string): boolean {
  const draft = draftIn(dirname(name));
  try {
    copyFileSync(path, draft, constants.COPYFILE_EXCL);
    const file = openSync(draft, 'r+');
    try {
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    return linkedOrRenamed(draft, name);
  } finally {
    rmSync(draft, { force: true });
  }
}

/** As `linked`; by renaming where the file system has no links: then a name that appears in between is replaced. */
function linkedOrRenamed(draft: string, name: string): boolean {
  try {
    return linked(draft, name);
  } catch (error) {
    if (!withoutLinks(error)) throw error;
    if (existsSync(name)) return false;
    renameSync(draft, name);
    return true;
  }
}

function draftIn(folder: string): string {
  return join(folder, `.${process.pid}-${Math.random().toString(36).slice(2)}.tmp`);
}

/** Returns the path in the folder that is the same file, or undefined. */
function twinOf(path: string, folder: string): string | undefined {
  const { ino, dev, nlink } = statSync(path);
  if (nlink < 2) return undefined;
  const twin = readdirSync(folder).find((name) => {
    const other = statSync(join(folder, name), { throwIfNoEntry: false });
    return other?.ino === ino && other.dev === dev;
  });
  return twin === undefined ? undefined : join(folder, twin);
}

/** Gives a file a second name; false where that name is taken. */
function linked(path: string, name: string): boolean {
  try {
    linkSync(path, name);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
