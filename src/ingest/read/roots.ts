import { lstat, realpath } from 'node:fs/promises';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { SvcError } from '../../core/errors.js';

/** How errors speak of a path. */
export interface GivenPath {
  /** The member of the request that gives it. */
  readonly member: string;
  /** What their sentences begin with, where it is not the member alone. */
  readonly subject?: string;
}

/** Characters of a path in an error, at most. */
const SHOWN = 300;

/** Returns how errors speak of one path of a list: by its end, as the request gives it, on one line. */
export function pathIn(member: string, path: string): GivenPath {
  const shown = path.length > SHOWN ? `…${path.slice(-SHOWN)}` : path;
  return { member, subject: `${member}: ${JSON.stringify(shown)}` };
}

/**
 * Returns the real path of a file under one of the roots, all links resolved; without roots any path is allowed. Throws
 * `forbidden` outside the roots, whether or not a file is there, and `not_found` where none is. Errors say which path of
 * the request it is, and never how it was resolved.
 */
export async function resolveInRoots(
  path: string,
  roots: readonly string[] | undefined,
  given: GivenPath = { member: 'source_path' },
): Promise<string> {
  const { member, subject = member } = given;
  if (path === '' || path.includes('\0')) {
    throw new SvcError('invalid_input', `${subject} is not a path; give the path of a file.`, { member });
  }
  const wanted = resolve(path);
  const real = await realOrUndefined(wanted, given);
  if (roots !== undefined) {
    const allowed = (await Promise.all(roots.map((root) => realOrUndefined(resolve(root), given)))).filter(
      (root) => root !== undefined,
    );
    const place = real ?? (await nearestReal(wanted, given));
    if (!allowed.some((root) => isInside(place, root))) throw outside(given);
  }
  if (real === undefined) {
    const isLink = await lstat(wanted).then(
      (found) => found.isSymbolicLink(),
      () => false,
    );
    const problem = isLink ? 'is a link to a file that is not there; mend the link' : 'names no file; check the path';
    throw new SvcError('not_found', `${subject} ${problem}.`, { member });
  }
  return real;
}

function outside({ member, subject = member }: GivenPath): SvcError {
  return new SvcError(
    'forbidden',
    `${subject} is outside the directories that may be read; move the file there or extend SVC_INGEST_ROOTS.`,
    { member },
  );
}

/** Returns where a path that does not exist would lie: its nearest existing directory, resolved, with the rest. */
async function nearestReal(path: string, given: GivenPath): Promise<string> {
  for (let parent = dirname(path); ; parent = dirname(parent)) {
    const real = await realOrUndefined(parent, given);
    if (real !== undefined) return resolve(real, relative(parent, path));
    if (parent === dirname(parent)) return path;
  }
}

async function realOrUndefined(path: string, { member, subject = member }: GivenPath): Promise<string | undefined> {
  try {
    return await realpath(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EACCES') return undefined;
    throw new SvcError('invalid_input', `${subject} cannot be resolved; check the path.`, { member }, { cause: error });
  }
}

/** Returns true where a path is a directory or lies below it; both real. */
export function isInside(path: string, root: string): boolean {
  const way = relative(root, path);
  return way === '' || !(way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way));
}
