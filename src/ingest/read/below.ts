import { lstatSync, realpathSync } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { slicer } from '../../core/async/slices.js';
import { isRepeatedTable } from './exported-pages.js';
import { isDocumentBelow, isMadeCode } from './file-type.js';
import { isInside } from './roots.js';

export interface BelowOptions {
  /** Whether links that lead out of the directory are followed. */
  readonly followLinks: boolean;
  /** Real directories that no followed link may lead out of; without them any place. */
  readonly roots?: readonly string[] | undefined;
}

export interface FileBelow {
  readonly path: string;
  /** True of a link that leads outside and is not followed, to a file or to a directory. */
  readonly outside: boolean;
  /** True of a directory that the process may not read: reading it as a file says so. */
  readonly closed?: boolean;
}

/** Returns whether a file below a directory is to be ingested. One in a directory that may not be read fails by its name. */
export function isReadBelow(directory: string, { path, closed }: Pick<FileBelow, 'path' | 'closed'>): boolean {
  return closed === true || (isDocumentBelow(path) && !isMadeCode(relative(directory, path)) && !isRepeatedTable(path));
}

/** Directories of packages that were installed into a project: thousands of files that its people did not write. */
const INSTALLED = new Set(['node_modules', 'site-packages']);

/** What programs keep beside the documents of people: Word and Excel of an open one (`~$Letter.docx`, `~WRL0003.tmp`), Windows of a directory. */
const KEPT_BY_PROGRAMS = /^(?:~\$.*|~wr[a-z]\d+\.tmp|(?:eh)?thumbs\.db|desktop\.ini)$/iu;

/** Returns whether an entry of a directory is left out by its name: dot files, what programs keep there, and installed packages. */
export function isHiddenName(name: string): boolean {
  return name.startsWith('.') || KEPT_BY_PROGRAMS.test(name) || INSTALLED.has(name);
}

interface Walk extends BelowOptions {
  /** The directory that the walk began with, as a real path. */
  readonly top: string;
  /** Real paths that links led to, and of the directories that were walked: each is visited once. */
  readonly seen: Set<string>;
}

/**
 * Yields the files below a directory, in a fixed order. Entries that are hidden by their name are left out. A link to what
 * the walk meets anyway is left out; one to a place that is hidden or no document by its own name, or outside of the directory and
 * followed, is visited once. A directory that may not be read is yielded itself.
 */
export async function* filesBelow(directory: string, options: BelowOptions): AsyncGenerator<FileBelow> {
  yield* walk(directory, { ...options, top: await realpath(directory), seen: new Set() });
}

async function* walk(directory: string, state: Walk): AsyncGenerator<FileBelow> {
  const opened = await open(directory);
  if (opened === undefined) return yield { path: directory, outside: false, closed: true };
  const { real, entries } = opened;
  if (state.seen.has(real)) return;
  state.seen.add(real);
  const pause = slicer();
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    await pause();
    if (isHiddenName(entry.name)) continue;
    const path = join(directory, entry.name);
    if (entry.isDirectory()) yield* walk(path, state);
    else if (entry.isSymbolicLink()) yield* behindLink(path, state);
    else if (!state.seen.has(join(real, entry.name))) yield { path, outside: false };
  }
}

/** Returns the real path of a directory and what it holds; nothing where it may not be read. */
async function open(directory: string) {
  try {
    return { real: await realpath(directory), entries: await readdir(directory, { withFileTypes: true }) };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EACCES' || code === 'EPERM') return undefined;
    throw error;
  }
}

async function* behindLink(path: string, state: Walk): AsyncGenerator<FileBelow> {
  const target = targetOf(path, state.top);
  if (target === undefined) return yield { path, outside: false };
  if (target.place === 'met') return;
  if (target.place === 'outside' && !mayFollow(target.real, state)) return yield { path, outside: true };
  if ((await stat(target.real)).isDirectory()) return yield* walk(path, state);
  if (state.seen.has(target.real)) return;
  state.seen.add(target.real);
  yield { path, outside: false };
}

function mayFollow(real: string, { followLinks, roots }: BelowOptions): boolean {
  return followLinks && roots?.some((root) => isInside(real, root)) !== false;
}

interface Target {
  readonly real: string;
  /** `met` is a place that a walk of the directory comes to without the link, by a name as good: README is no document, README.md is. */
  readonly place: 'met' | 'unmet' | 'outside';
}

/** Returns where a link leads, seen from a real directory; nothing where it leads to nothing. */
function targetOf(path: string, top: string): Target | undefined {
  let real: string;
  try {
    real = realpathSync(path);
  } catch {
    return undefined;
  }
  if (!isInside(real, top)) return { real, place: 'outside' };
  const isHidden = relative(top, real).split(sep).some(isHiddenName);
  return { real, place: isHidden || (isDocumentBelow(path) && !isDocumentBelow(real)) ? 'unmet' : 'met' };
}

/** Returns whether `filesBelow` of a real directory leaves a path out because it is a link. */
export function isLinkLeftOut(path: string, top: string, options: BelowOptions): boolean {
  if (!isLink(path)) return false;
  const target = targetOf(path, top);
  if (target === undefined || target.place === 'unmet') return false;
  return target.place === 'met' || !mayFollow(target.real, options);
}

/** Returns false also for what is gone, or cannot be looked at. */
function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
}
