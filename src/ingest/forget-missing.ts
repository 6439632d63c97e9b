import { lstat } from 'node:fs/promises';
import { SvcError } from '../core/errors.js';
import { type ForgetResult, forgetSource } from './forget.js';
import { isInside } from './read/roots.js';
import type { LoadPorts } from './write/load.js';

/**
 * Forgets the sources of a domain that were files below `directory` (a real path) and are gone. The directory itself
 * must be there: `not_found` is thrown before it is resolved, so that a volume that is not mounted forgets nothing.
 */
export async function forgetMissing(
  ports: LoadPorts,
  { directory, domain }: { readonly directory: string; readonly domain: string },
): Promise<ForgetResult> {
  if ((await ports.graph.getDomain(domain)) === null) return { sources: 0, removed: 0 };
  let sources = 0;
  let removed = 0;
  for (const { source_id, kind, key } of await ports.graph.listSources({ domain })) {
    if (kind !== 'file' || !isInside(key, directory) || (await exists(key))) continue;
    const result = await forgetSource(ports, source_id).catch(unlessGone);
    sources += result.sources;
    removed += result.removed;
  }
  return { sources, removed };
}

function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code !== 'ENOENT' && error.code !== 'ENOTDIR',
  );
}

/** Counts nothing where another call forgot the source meanwhile. */
function unlessGone(error: unknown): ForgetResult {
  if (error instanceof SvcError && error.code === 'source_not_found') return { sources: 0, removed: 0 };
  throw error;
}
