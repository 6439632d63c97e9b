import type { Clock } from '../../core/clock.js';

const SWEEP_EVERY = 1000;

/** Remembers the nonces of verified requests within their window; an unauthenticated caller cannot fill it. */
export class NonceMemory {
  private readonly seen = new Map<string, number>();
  private sinceSweep = 0;

  constructor(private readonly clock: Clock) {}

  /** Returns true the first time; `expires` in Unix seconds, after which the timestamp itself is refused. */
  accept(nonce: string, expires: number): boolean {
    const now = this.clock() / 1000;
    const until = this.seen.get(nonce);
    if (until !== undefined && until >= now) return false;
    this.seen.set(nonce, expires);
    this.sinceSweep += 1;
    if (this.sinceSweep >= SWEEP_EVERY) this.sweep(now);
    return true;
  }

  private sweep(now: number): void {
    this.sinceSweep = 0;
    for (const [nonce, until] of this.seen) if (until < now) this.seen.delete(nonce);
  }
}
