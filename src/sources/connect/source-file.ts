import { realpath } from 'node:fs/promises';
import { SvcError } from '../../core/errors.js';
import { isInside } from '../../ingest/read/roots.js';

/** Which SQLite files may be opened, for every caller alike. */
export interface FilePolicy {
  /** Resolves a path under the ingest roots; throws `forbidden` outside of them. */
  readonly inRoots: (file: string) => Promise<string>;
  /** Directories of the service itself: its data directory, and those of learners. */
  readonly excluded: readonly string[];
}

/**
 * Returns the real path of a file that may be opened as a source; throws `forbidden` for others and
 * `unavailable` where none is there.
 */
export async function allowedFile(file: string, policy: FilePolicy): Promise<string> {
  const real = await policy.inRoots(file).catch((error: unknown) => {
    if (!(error instanceof SvcError) || error.code !== 'not_found') throw error;
    const message = 'The SQLite file of connection_string does not exist; check its path.';
    throw new SvcError('unavailable', message, { member: 'connection_string' });
  });
  for (const directory of policy.excluded) {
    const own = await realpath(directory).catch(() => undefined);
    if (own !== undefined && isInside(real, own)) {
      throw new SvcError(
        'forbidden',
        'connection_string names a file of the service itself; use the database of another program.',
        { member: 'connection_string' },
      );
    }
  }
  return real;
}
