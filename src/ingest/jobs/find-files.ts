import type { Dirent } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { slicer } from '../../core/async/slices.js';
import { SvcError } from '../../core/errors.js';
import type { NamedDirectory } from '../forget-missing.js';
import { isDocument } from '../read/file-type.js';
import { isInside, pathIn, resolveInRoots } from '../read/roots.js';

export interface FoundFiles {
  /** Paths to ingest, each once, in a fixed order. */
  readonly files: readonly string[];
  /** Files below the directories whose type is not read. */
  readonly skipped: readonly string[];
  /** The directories named, each once, but for those in another one. */
  readonly directories: readonly NamedDirectory[];
}

export interface FindOptions {
  /** Directories that may be read; without them any path. */
  readonly roots?: readonly string[] | undefined;
  /** Largest number of files, those skipped included. */
  readonly maxFiles: number;
}

/**
 * Finds the files to ingest: those named, and the readable ones below the directories named. Entries whose name starts
 * with a dot are left out, and links that lead out of the roots. Throws `forbidden`, `not_found` and `too_large`, naming
 * `paths` and, but for `too_large`, the path as it was given.
 */
export async function findFiles(paths: readonly string[], { roots, maxFiles }: FindOptions): Promise<FoundFiles> {
  const found = new Set<string>();
  const skipped = new Set<string>();
  /** The directories by their real path: one that several paths lead to has the first of them. */
  const directories = new Map<string, string>();
  const add = (set: Set<string>, path: string): void => {
    set.add(path);
    if (found.size + skipped.size > maxFiles) {
      const sentence = `paths lead to more than ${maxFiles} files; make a job for each of its directories.`;
      throw new SvcError('too_large', sentence, { member: 'paths', limit: maxFiles });
    }
  };
  const realRoots =
    roots && (await Promise.all(roots.map((root) => realpath(resolve(root)).catch(() => resolve(root)))));
  for (const path of paths) {
    const real = await resolveInRoots(path, roots, pathIn('paths', path));
    if (!(await stat(real)).isDirectory()) add(found, resolve(path));
    else {
      if (!directories.has(real)) directories.set(real, path);
      for await (const file of filesBelow(resolve(path), { roots: realRoots, seen: new Set() }))
        add(isDocument(file) ? found : skipped, file);
    }
  }
  const named = outermost([...directories.keys()]).map((real) => ({ real, given: directories.get(real)! }));
  return { files: [...found], skipped: [...skipped], directories: named };
}

/** Returns the directories that lie in no other one; all are real and different. */
function outermost(directories: readonly string[]): string[] {
  const found: string[] = [];
  // With the slash at the end all that lie in a directory follow it.
  const paths = directories.map((directory) => (directory.endsWith('/') ? directory : `${directory}/`)).sort();
  for (const path of paths) if (found.length === 0 || !path.startsWith(found.at(-1)!)) found.push(path);
  return found.map((path) => (path === '/' ? path : path.slice(0, -1)));
}

interface Walk {
  readonly roots: readonly string[] | undefined;
  /** Real paths of directories that were walked: one that two links name is walked once. */
  readonly seen: Set<string>;
}

async function* filesBelow(directory: string, walk: Walk): AsyncGenerator<string> {
  const pause = slicer();
  const real = await realpath(directory);
  if (walk.seen.has(real) || walk.roots?.some((root) => isInside(real, root)) === false) return;
  walk.seen.add(real);
  const entries = await readdir(directory, { withFileTypes: true });
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    await pause();
    if (entry.name.startsWith('.')) continue;
    const path = join(directory, entry.name);
    if (await leadsToDirectory(entry, path)) yield* filesBelow(path, walk);
    else yield path;
  }
}

async function leadsToDirectory(entry: Dirent, path: string): Promise<boolean> {
  if (entry.isDirectory()) return true;
  if (!entry.isSymbolicLink()) return false;
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
