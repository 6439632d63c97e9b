import { setTimeout as sleep } from 'node:timers/promises';

interface Patience {
  /** Milliseconds until the last failure is thrown. */
  readonly timeout?: number;
  /** Milliseconds between two tries. */
  readonly interval?: number;
}

/** Repeats `check` until it neither throws nor rejects, and returns its value; throws its last error at the time-out. */
export async function waitFor<T>(
  check: () => T | Promise<T>,
  { timeout = 20_000, interval = 50 }: Patience = {},
): Promise<T> {
  const end = performance.now() + timeout;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() >= end) throw error;
      await sleep(interval);
    }
  }
}
