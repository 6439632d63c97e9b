import { realpath } from 'node:fs/promises';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { SvcError } from '../../core/errors.js';

/**
 * Returns the real path of a file under one of the roots, all links resolved; without roots any path is allowed. Throws
 * `forbidden` outside the roots, whether or not a file is there, and `not_found` where none is. Errors name `member`, the
 * member of the request that gives the path.
 */
export async function resolveInRoots(
  path: string,
  roots: readonly string[] | undefined,
  member = 'source_path',
): Promise<string> {
  if (path === '' || path.includes('\0')) {
    throw new SvcError('invalid_input', `${member} is not a path; give the path of a file.`, { member });
  }
  const wanted = resolve(path);
  const real = await realOrUndefined(wanted, member);
  if (roots !== undefined) {
    const allowed = (await Promise.all(roots.map((root) => realOrUndefined(resolve(root), member)))).filter(
      (root) => root !== undefined,
    );
    const place = real ?? (await nearestReal(wanted, member));
    if (!allowed.some((root) => isInside(place, root))) throw outside(member);
  }
  if (real === undefined) {
    throw new SvcError('not_found', `${member} names no file; check the path.`, { member });
  }
  return real;
}

function outside(member: string): SvcError {
  return new SvcError(
    'forbidden',
    `${member} is outside the directories that may be read; move the file there or extend SVC_INGEST_ROOTS.`,
    { member },
  );
}

/** Returns where a path that does not exist would lie: its nearest existing directory, resolved, with the rest. */
async function nearestReal(path: string, member: string): Promise<string> {
  for (let parent = dirname(path); ; parent = dirname(parent)) {
    const real = await realOrUndefined(parent, member);
    if (real !== undefined) return resolve(real, relative(parent, path));
    if (parent === dirname(parent)) return path;
  }
}

async function realOrUndefined(path: string, member: string): Promise<string | undefined> {
  try {
    return await realpath(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EACCES') return undefined;
    throw new SvcError(
      'invalid_input',
      `${member} cannot be resolved; check the path.`,
      { member },
      {
        cause: error,
      },
    );
  }
}

/** Returns true where a path is a directory or lies below it; both real. */
export function isInside(path: string, root: string): boolean {
  const way = relative(root, path);
  return way === '' || !(way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way));
}
