import { setTimeout as sleep } from 'node:timers/promises';
import { SvcError } from '../../../core/errors.js';

/** How long a locked file is tried again, and how often: milliseconds. */
const PATIENCE = 5000;
const PAUSE = 50;

/**
 * Runs `work` on a SQLite file; while another process has it locked, again and again for five seconds. The driver's own
 * waiting would hold the event loop, so it is opened without. `unavailable` and retriable if the file stays locked.
 */
export async function patiently<T>(work: () => T): Promise<T> {
  const end = performance.now() + PATIENCE;
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (!isLocked(error)) throw error;
      if (performance.now() >= end) throw locked(error);
    }
    await sleep(PAUSE);
  }
}

export function isLocked(error: unknown): boolean {
  return /^SQLITE_(BUSY|LOCKED|PROTOCOL)/.test(codeOf(error));
}

/**
 * Returns the error for what could not be read, with SQLite's reason (names of tables, columns and modules, never a
 * path). A file that is missing or damaged as a whole is `unavailable`; what concerns one table is `conflict`, so that
 * a sync continues with others.
 */
export function unreadable(what: string, cause: unknown): SvcError {
  if (cause instanceof SvcError) return cause;
  const code = codeOf(cause);
  if (code === '' || /^SQLITE_(CANTOPEN|IOERR|NOTADB|NOMEM|FULL)/.test(code)) {
    const member = { member: 'connection_string' };
    const message = `The SQLite file of connection_string can no longer be read${code === '' ? '' : ` (${code})`}; check it and try again.`;
    return new SvcError('unavailable', message, member, { cause, retriable: true });
  }
  const message = code === 'SQLITE_ERROR' ? `: ${(cause as Error).message}` : '';
  return new SvcError(
    'conflict',
    `${what} cannot be read (${code}${message}); repair it, or connect the source again if its schema changed.`,
    undefined,
    { cause },
  );
}

function locked(cause: unknown): SvcError {
  return new SvcError(
    'unavailable',
    'The SQLite file of connection_string is locked by another process (SQLITE_BUSY); try again when that has finished.',
    { member: 'connection_string' },
    { cause, retriable: true },
  );
}

function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : '';
  return typeof code === 'string' && code.startsWith('SQLITE_') ? code : '';
}
