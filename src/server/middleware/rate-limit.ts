import type { Clock } from '../../core/clock.js';
import { SvcError } from '../../core/errors.js';
import type { Middleware } from '../state.js';

export interface Rate {
  /** Tokens that come back each second. */
  readonly per_second: number;
  /** Tokens at most. */
  readonly burst: number;
}

interface Bucket {
  tokens: number;
  /** Milliseconds: when `tokens` was true. */
  at: number;
}

const SWEEP_EVERY = 10_000;

/** A token bucket for each caller; beyond it `rate_limited` with the seconds to wait. Open routes are not counted. */
export function limitRate(rate: Rate, clock: Clock): Middleware {
  const take = tokenBuckets(rate, clock);
  return (ctx, next) => {
    if (ctx.state.match.route?.auth === 'open') return next();
    const wait = take(ctx.state.caller.id);
    if (wait > 0) {
      const retryAfter = Math.max(1, Math.ceil(wait));
      throw new SvcError('rate_limited', `Too many requests; wait ${retryAfter} s.`, undefined, {
        retryAfter,
        retriable: true,
      });
    }
    return next();
  };
}

/** Takes a token of the bucket of that name: 0, or the seconds until there is one. */
function tokenBuckets({ per_second, burst }: Rate, clock: Clock): (name: string) => number {
  const buckets = new Map<string, Bucket>();
  let calls = 0;

  const filled = (bucket: Bucket, now: number): number =>
    Math.min(burst, bucket.tokens + (Math.max(0, now - bucket.at) / 1000) * per_second);

  return (name) => {
    const now = clock();
    calls += 1;
    if (calls % SWEEP_EVERY === 0) {
      for (const [key, bucket] of buckets) if (filled(bucket, now) >= burst) buckets.delete(key);
    }
    const bucket = buckets.get(name) ?? { tokens: burst, at: now };
    const tokens = filled(bucket, now);
    const enough = tokens >= 1;
    buckets.set(name, { tokens: enough ? tokens - 1 : tokens, at: now });
    return enough ? 0 : (1 - tokens) / per_second;
  };
}
