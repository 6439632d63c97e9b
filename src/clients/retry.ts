import type { SvcError } from '../core/errors.js';
import { checkCancelled } from './closed.js';

export interface RetryOptions {
  /** Attempts in all; default 4. */
  readonly attempts?: number;
  /** First wait in milliseconds; doubles, with jitter; default 100. */
  readonly wait?: number;
  readonly random?: () => number;
  /** Milliseconds since some start after which nothing is tried again. */
  readonly deadline: number;
  /** Ends the waiting, with `cancelled`. */
  readonly signal?: AbortSignal | undefined;
}

/** A failure that says whether the request can have reached the service. */
export class Attempt {
  constructor(
    readonly error: SvcError,
    /** True where trying again can help: no connection, 429, 503. */
    readonly again: boolean,
    /** Seconds to wait, from the service's answer. */
    readonly retryAfter?: number,
  ) {}
}

/** Calls `attempt` until it succeeds, cannot be repeated, or the deadline is near; throws the last error. */
export async function retried<T>(attempt: () => Promise<T | Attempt>, options: RetryOptions): Promise<T> {
  const attempts = options.attempts ?? 4;
  const random = options.random ?? Math.random;
  for (let n = 1; ; n += 1) {
    const result = await attempt();
    if (!(result instanceof Attempt)) return result;
    const backoff = (options.wait ?? 100) * 2 ** (n - 1) * (0.5 + random());
    const wait = result.retryAfter === undefined ? backoff : Math.max(backoff, result.retryAfter * 1000);
    if (!result.again || n >= attempts || performance.now() + wait >= options.deadline) throw result.error;
    await pause(wait, options.signal);
    checkCancelled(options.signal);
  }
}

/** Waits; no longer than until the signal. */
function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal?.addEventListener('abort', end);
  });
}
