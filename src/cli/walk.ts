import { lstatSync, readlinkSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { filesBelow, isReadBelow } from '../ingest/read/below.js';
import { UsageError } from './cli.js';

export interface Walk {
  /** Absolute paths in a fixed order, each once. */
  readonly files: string[];
  /** Those that were named themselves: one that is no document is a mistake, below a directory it is passed over. */
  readonly named: ReadonlySet<string>;
  /** Files below the directories whose type is not read. */
  readonly skipped: string[];
  /** Links that lead out of the directories and were not followed. */
  readonly links: string[];
}

/**
 * Finds the files to ingest: those named, the readable ones below the directories named, and directories below that may not be read: each
 * fails by its name.
 */
export async function filesToIngest(paths: readonly string[], followLinks: boolean): Promise<Walk> {
  const found = new Set<string>();
  const named = new Set<string>();
  const skipped = new Set<string>();
  const links = new Set<string>();
  for (const path of paths) {
    const absolute = resolve(path);
    if (!isDirectory(absolute)) {
      found.add(absolute);
      named.add(absolute);
    } else
      for await (const file of filesBelow(absolute, { followLinks }))
        (file.outside ? links : isReadBelow(absolute, file) ? found : skipped).add(file.path);
  }
  return {
    files: [...found],
    named,
    skipped: [...skipped].filter((path) => !named.has(path)),
    links: [...links],
  };
}

/** Returns whether a path that was typed is a directory. Throws a usage error, with what to check, for one that cannot be looked at. */
export function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? '';
    const problem = code === 'ENOENT' ? deadLink(path) : undefined;
    throw new UsageError(`${path} ${problem ?? PROBLEMS[code] ?? 'cannot be read; check the path'}.`, { cause });
  }
}

/** Returns what is wrong with a link that leads to nothing; undefined for another path. */
function deadLink(path: string): string | undefined {
  try {
    const target = readlinkSync(path);
    const isThere = lstatSync(resolve(dirname(path), target), { throwIfNoEntry: false }) !== undefined;
    const what = isThere ? 'leads to nothing' : 'does not exist';
    return `is a link to ${target}, which ${what}; mend the link, or name another file`;
  } catch {
    return undefined;
  }
}

const MISSING = 'does not exist; check the path';
const CLOSED = 'cannot be read; its rights, or those of a directory above it, do not let you';

/** What hinders a look at a path, and what to do, by the code of the system. */
const PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: MISSING,
  ENOTDIR: MISSING,
  EACCES: CLOSED,
  EPERM: CLOSED,
  ELOOP: 'is a link that leads back to itself; name the file',
  ENAMETOOLONG: 'is too long for a path; check it',
};
