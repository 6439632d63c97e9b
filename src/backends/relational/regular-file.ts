import { stat } from 'node:fs/promises';
import { SvcError } from '../../core/errors.js';

const MEMBER = { member: 'connection_string' };
/** Milliseconds that the file system may take to describe a file. */
const LIMIT = 2000;
/** What SQLite opens beside a database. */
const COMPANIONS = ['-wal', '-shm', '-journal'];

/**
 * Throws unless the path and what SQLite opens beside it are regular files: opening a named pipe or a device would hold
 * the event loop for ever. `unavailable` where no file is there or the file system does not answer within two seconds.
 */
export async function checkRegularFile(file: string): Promise<void> {
  if (!(await isRegular(file))) {
    throw new SvcError('unavailable', 'The SQLite file of connection_string does not exist; check its path.', MEMBER);
  }
  for (const suffix of COMPANIONS) await isRegular(`${file}${suffix}`);
}

/** Returns false where nothing is there; throws `invalid_input` for anything but a regular file. */
async function isRegular(path: string): Promise<boolean> {
  const found = await within(
    stat(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
      throw new SvcError('unavailable', 'The SQLite file of connection_string cannot be read.', MEMBER, {
        cause: error,
      });
    }),
  );
  if (found !== undefined && !found.isFile()) {
    throw new SvcError('invalid_input', 'connection_string names no regular file; name a SQLite database.', MEMBER);
  }
  return found !== undefined;
}

async function within<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(
        new SvcError(
          'unavailable',
          `The file system of connection_string did not answer within ${LIMIT / 1000} s.`,
          MEMBER,
        ),
      );
    }, LIMIT);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
