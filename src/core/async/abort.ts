import { SvcError } from '../errors.js';

/** Throws `unavailable`, retriable, once the signal is aborted; `message` says what a restart does. */
export function stopIfAborted(signal: AbortSignal | undefined, message: string): void {
  if (signal?.aborted === true) throw new SvcError('unavailable', message, undefined, { retriable: true });
}
