import { SvcError } from '../../core/errors.js';

/** Returns what `work` returns, or fails with `unavailable` after `ms`; 0 gives it all the time. What it still does is given up. */
export async function withinBudget<T>(ms: number, what: string, work: Promise<T>): Promise<T> {
  if (!(ms > 0)) return work;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(tooLate(ms, what)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
    // Its end is of no interest any more, its failure neither.
    work.catch(() => undefined);
  }
}

function tooLate(ms: number, what: string): SvcError {
  const sentence = `The ${what} took longer than ${ms} ms (SVC_QUERY_TIMEOUT_MS); ask for fewer domains or items, or try again.`;
  return new SvcError('unavailable', sentence, { timeout_ms: ms }, { retriable: true, retryAfter: 1 });
}
