import type { Clock } from '../../core/clock.js';
import { SvcError } from '../../core/errors.js';

const WINDOW_MS = 60_000;
const MOST_ADDRESSES = 10_000;
/** Wrong signatures of an address in a second that are still looked at when it has used its failures up. */
const SIGNATURES_A_SECOND = 10;

interface Attempts {
  count: number;
  readonly until: number;
  /** The second that `signatures` counts in. */
  second: number;
  signatures: number;
}

/**
 * Returns what an address is counted as: an IPv4 address as itself, an IPv6 one as its network of 64 bits, all of whose
 * addresses one sender may have.
 */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i.exec(address)?.[1];
  if (mapped !== undefined || !address.includes(':')) return mapped ?? address;
  const [head = '', tail] = address.replace(/%.*$/, '').toLowerCase().split('::');
  const first = head.split(':').filter((group) => group !== '');
  const last = (tail ?? '').split(':').filter((group) => group !== '');
  const groups = [...first, ...Array.from({ length: Math.max(0, 8 - first.length - last.length) }, () => '0'), ...last];
  return `${groups.slice(0, 4).join(':')}::/64`;
}

/**
 * Counts failed authentication by address, for a minute from the first on. An address with too many is refused, except
 * where it presents a signature: several callers may share an address, and only verifying tells the good one from the
 * guesser. So a few signatures a second are verified all the same, and good ones do not count.
 */
export class FailedAttempts {
  private readonly byAddress = new Map<string, Attempts>();

  /** `most`: failures that an address has in a minute. */
  constructor(
    private readonly most: number,
    private readonly clock: Clock,
  ) {}

  /** Throws `rate_limited` where an address has used its failures up. */
  check(address: string): void {
    const attempts = this.usedUp(address);
    if (attempts !== undefined) throw tooOften((attempts.until - this.clock()) / 1000);
  }

  /**
   * Lets a signature be verified, and returns what to call when it was good. Throws `rate_limited` where the address has
   * used its failures up and those of this second, too.
   */
  beginSignature(address: string): () => void {
    const attempts = this.usedUp(address);
    if (attempts === undefined) return () => undefined;
    const second = Math.floor(this.clock() / 1000);
    if (attempts.second !== second) Object.assign(attempts, { second, signatures: 0 });
    if (attempts.signatures >= SIGNATURES_A_SECOND) throw tooOften(1);
    // Those under way count, so that many at once are no way around.
    attempts.signatures += 1;
    return () => {
      if (attempts.second === second) attempts.signatures -= 1;
    };
  }

  note(sender: string): void {
    const address = networkOf(sender);
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
    this.byAddress.set(address, { count: 1, until: now + WINDOW_MS, second: 0, signatures: 0 });
  }

  private usedUp(address: string): Attempts | undefined {
    const attempts = this.byAddress.get(networkOf(address));
    if (attempts === undefined || attempts.until <= this.clock()) return undefined;
    return attempts.count < this.most ? undefined : attempts;
  }
}

function tooOften(seconds: number): SvcError {
  const retryAfter = Math.max(1, Math.ceil(seconds));
  const sentence = `Authentication failed too often; wait ${retryAfter} s.`;
  return new SvcError('rate_limited', sentence, undefined, { retryAfter, retriable: true });
}
