import type { Clock } from '../../core/clock.js';
import { SvcError } from '../../core/errors.js';

const WINDOW_MS = 60_000;
const MOST_ADDRESSES = 10_000;

interface Attempts {
  count: number;
  readonly until: number;
}

/** Counts failed authentication by address, for a minute from the first on. */
export class FailedAttempts {
  private readonly byAddress = new Map<string, Attempts>();

  /** `most`: failures that an address has in a minute. */
  constructor(
    private readonly most: number,
    private readonly clock: Clock,
  ) {}

  /** Throws `rate_limited` where an address has used its failures up. */
  check(address: string): void {
    const attempts = this.byAddress.get(address);
    const now = this.clock();
    if (attempts === undefined || attempts.until <= now) return;
    if (attempts.count < this.most) return;
    const retryAfter = Math.max(1, Math.ceil((attempts.until - now) / 1000));
    throw new SvcError('rate_limited', `Authentication failed too often; wait ${retryAfter} s.`, undefined, {
      retryAfter,
      retriable: true,
    });
  }

  note(address: string): void {
    const now = this.clock();
    const attempts = this.byAddress.get(address);
    if (attempts !== undefined && attempts.until > now) {
      attempts.count += 1;
      return;
    }
    this.byAddress.delete(address);
    // The oldest window is the first.
    const [oldest] = this.byAddress.keys();
    if (this.byAddress.size >= MOST_ADDRESSES && oldest !== undefined) this.byAddress.delete(oldest);
    this.byAddress.set(address, { count: 1, until: now + WINDOW_MS });
  }
}
