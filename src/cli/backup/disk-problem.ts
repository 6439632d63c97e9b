import { closeSync, openSync } from 'node:fs';
import { SvcError } from '../../core/errors.js';

/** Node's error codes of the file system and SQLite's result codes, by what a person does about them. */
const FULL = /^(ENOSPC|EDQUOT|EFBIG|SQLITE_FULL)$/;
const REFUSED = /^(EACCES|EPERM|EROFS|ENOENT|ENOTDIR|SQLITE_CANTOPEN.*|SQLITE_READONLY.*|SQLITE_PERM)$/;
const DIRECTORY = /^(EISDIR|ENOTEMPTY)$/;
const FAILING = /^(EIO|SQLITE_IOERR.*)$/;

/**
 * Returns what keeps `target`, a backup or a restored directory, from being written, as an error that says what to do;
 * any other error as it is.
 */
export function diskProblem(error: unknown, target: string): unknown {
  if (error instanceof SvcError) return error;
  const code = String((error as { code?: unknown } | null | undefined)?.code);
  const options = { cause: error };
  if (FULL.test(code)) {
    const sentence = `The disk of ${target} is full; free space on it, or name a place on another disk.`;
    return new SvcError('unavailable', sentence, { reason: 'full' }, options);
  }
  if (FAILING.test(code)) {
    const sentence = `The disk of ${target} fails to read or write; check it, or name a place on another disk.`;
    return new SvcError('unavailable', sentence, { reason: 'io' }, options);
  }
  if (DIRECTORY.test(code))
    return new SvcError('invalid_input', `${target} is a directory; name a file.`, undefined, options);
  if (!REFUSED.test(code)) return error;
  const sentence = `${target} cannot be written; name a place that this user may write, on a disk that is not read-only.`;
  return new SvcError('invalid_input', sentence, undefined, options);
}

/** Returns what keeps a file or directory from being opened to read; undefined where nothing does. */
export function readProblem(path: string): NodeJS.ErrnoException | undefined {
  try {
    closeSync(openSync(path, 'r'));
    return undefined;
  } catch (cause) {
    return cause as NodeJS.ErrnoException;
  }
}
