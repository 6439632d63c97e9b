import { SvcError } from '../core/errors.js';

/** Returns the error of a call that comes after the client was closed. */
export function clientClosed(): SvcError {
  return new SvcError('conflict', 'The client is closed; make a new one.');
}
