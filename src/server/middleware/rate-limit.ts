import { TokenBucket } from 'limiter';
import { SvcError } from '../../core/errors.js';
import type { Middleware } from '../route.js';

export interface Rate {
  /** Tokens that come back each second. */
  readonly per_second: number;
  /** Tokens at most. */
  readonly burst: number;
}

const SWEEP_EVERY = 10_000;

/** Gives each caller a token bucket; an empty one is `rate_limited` with the seconds to wait. Open routes are not counted. */
export function limitRate(rate: Rate): Middleware {
  const buckets = new Map<string, TokenBucket>();
  let calls = 0;
  return (ctx, next) => {
    if (ctx.state.match.route?.auth === 'open') return next();
    calls += 1;
    if (calls % SWEEP_EVERY === 0) removeFull(buckets);
    const bucket = buckets.get(ctx.state.caller.id) ?? fullBucket(rate);
    buckets.set(ctx.state.caller.id, bucket);
    if (bucket.tryRemoveTokens(1)) return next();
    const retryAfter = Math.max(1, Math.ceil(bucket.getWaitTime(1) / 1000));
    throw new SvcError('rate_limited', `Too many requests; wait ${retryAfter} s.`, undefined, {
      retryAfter,
      retriable: true,
    });
  };
}

function fullBucket({ per_second, burst }: Rate): TokenBucket {
  const bucket = new TokenBucket({ bucketSize: burst, tokensPerInterval: per_second, interval: 'second' });
  bucket.content = burst;
  return bucket;
}

/** Removes the buckets that are full again: a new one says the same. */
function removeFull(buckets: Map<string, TokenBucket>): void {
  for (const [caller, bucket] of buckets) {
    bucket.drip();
    if (bucket.content >= bucket.bucketSize) buckets.delete(caller);
  }
}
