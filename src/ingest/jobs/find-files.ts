import { realpath, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { SvcError } from '../../core/errors.js';
import type { NamedDirectory } from '../forget-missing.js';
import { filesBelow, isReadBelow } from '../read/below.js';
import { pathIn, resolveInRoots } from '../read/roots.js';

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
  /** Whether links that lead out of the directories named are followed. */
  readonly followLinks: boolean;
  /** Largest number of files, those skipped included. */
  readonly maxFiles: number;
}

/**
 * Finds the files to ingest: those named, the readable ones below the directories named, and directories below that may not be read: each
 * fails by its name. Entries that are hidden by their name are left out, and links that lead out of the directory, unless they are followed, or
 * out of the roots. Throws `forbidden`, `not_found` and `too_large`, naming `paths` and, but for `too_large`, the path as it was given.
 */
export async function findFiles(
  paths: readonly string[],
  { roots, followLinks, maxFiles }: FindOptions,
): Promise<FoundFiles> {
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
      const absolute = resolve(path);
      for await (const file of filesBelow(absolute, { followLinks, roots: realRoots }))
        if (!file.outside) add(isReadBelow(absolute, file) ? found : skipped, file.path);
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
