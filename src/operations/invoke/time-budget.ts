import { SvcError } from '../../core/errors.js';
import type { CallContext } from '../operation.js';

export interface TimeBudget {
  /** Milliseconds; 0 for no limit. */
  readonly ms: number;
  /** What takes so long, for the error. */
  readonly what: string;
}

/**
 * Returns what `work` returns, or fails with `unavailable` when its time is over. Work that still runs then is reported to
 * the caller: its result is given up, what it occupies is not free before it ends.
 */
export async function withinBudget<T>(
  work: Promise<T>,
  { ms, what }: TimeBudget,
  { onUnfinished }: Pick<CallContext, 'onUnfinished'>,
): Promise<T> {
  if (!(ms > 0)) return work;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      // Its failure is of no interest any more.
      onUnfinished?.(work.catch(() => undefined));
      reject(tooLate(ms, what));
    }, ms);
  });
  // A failure after the time is over has no other receiver.
  work.catch(() => undefined);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

function tooLate(ms: number, what: string): SvcError {
  const sentence = `The ${what} took longer than ${ms} ms (SVC_QUERY_TIMEOUT_MS); ask for fewer domains or items, or try again.`;
  return new SvcError('unavailable', sentence, { timeout_ms: ms }, { retriable: true, retryAfter: 1 });
}
