import { SvcError } from '../core/errors.js';

/** Throws `cancelled` where the caller cancelled the call. */
export function checkCancelled(signal: AbortSignal | undefined): void {
  if (signal?.aborted !== true) return;
  throw new SvcError('cancelled', 'The caller cancelled the call.', undefined, { cause: signal.reason });
}

/** Returns the error of a call that comes after the client was closed. */
export function clientClosed(): SvcError {
  return new SvcError('conflict', 'The client is closed; make a new one.');
}
