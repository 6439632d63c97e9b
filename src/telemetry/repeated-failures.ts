import type { Clock } from '../core/clock.js';
import { SvcError } from '../core/errors.js';
import { describeError, type Logger } from './logger.js';

/** How long a failure that goes on is not logged again, ms. */
const QUIET_MS = 600_000;

/**
 * Logs failures of background work: one when it begins and every ten minutes while it goes on, and one line when it is over. What
 * fails for want of one part, such as the store, says the same in all work that needs it: that counts as one failure.
 */
export class RepeatedFailures {
  /** By failure, when it was logged. */
  private readonly logged = new Map<string, number>();
  /** By work, the failure that its last run ended with. */
  private readonly failing = new Map<string, { readonly failure: string; readonly message: string }>();

  constructor(
    private readonly log: Pick<Logger, 'error' | 'info'>,
    private readonly clock: Clock,
  ) {}

  /** Takes a failure of this work, which `worked` ends. `text` says what failed. */
  failed(work: string, error: unknown, text: string): void {
    const message = error instanceof Error ? error.message : String(error);
    this.failing.set(work, { failure: failureOf(work, error), message });
    this.noted(work, error, text);
  }

  /** Takes a failure that nothing ends, such as that of one thing of many. */
  noted(work: string, error: unknown, text: string): void {
    const now = this.clock();
    for (const [one, at] of this.logged) if (now - at >= QUIET_MS) this.logged.delete(one);
    const failure = failureOf(work, error);
    if (this.logged.has(failure)) return;
    this.logged.set(failure, now);
    this.log.error({ job: work, err: describeError(error) }, text);
  }

  /** Takes note that this work was done. */
  worked(work: string): void {
    const ended = this.failing.get(work);
    if (ended === undefined) return;
    this.failing.delete(work);
    if ([...this.failing.values()].some(({ failure }) => failure === ended.failure)) return;
    this.logged.delete(ended.failure);
    this.log.info({ job: work, was: describeError(ended.message).message }, 'background jobs work again');
  }
}

function failureOf(work: string, error: unknown): string {
  if (error instanceof SvcError) return error.message;
  return `${work}: ${error instanceof Error ? error.message : String(error)}`;
}
