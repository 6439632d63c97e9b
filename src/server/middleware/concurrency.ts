import { SvcError } from '../../core/errors.js';
import { type Context, isRow, type Middleware } from '../route.js';

export interface ConcurrencyLimits {
  /** Requests that are worked on at once. */
  readonly running: number;
  /** Requests that wait for one of those to end; more are refused. */
  readonly waiting: number;
}

/** Answers about the service itself, which are needed most when it is busy. */
const ALWAYS = new Set(['health', 'ready', 'status']);
/** Share of the newest request in the mean duration. */
const NEWEST = 0.1;

/**
 * Lets a bounded number of requests to rows run, and a bounded number wait in order, their bodies unread; further ones are
 * `unavailable` with the seconds after which the queue should have room. Pages and streams are not counted.
 */
export function limitConcurrency(limits: ConcurrencyLimits): Middleware {
  const queue: Array<() => void> = [];
  let running = 0;
  let meanMs = 50;
  const enter = async (ctx: Context): Promise<void> => {
    if (running < limits.running) {
      running += 1;
      return;
    }
    if (queue.length >= limits.waiting) throw busy((queue.length * meanMs) / limits.running);
    await new Promise<void>((resolve, reject) => {
      queue.push(resolve);
      // Whoever hung up gives its place to those behind it.
      ctx.res.once('close', () => {
        const at = queue.indexOf(resolve);
        if (at < 0) return;
        queue.splice(at, 1);
        reject(new SvcError('cancelled', 'The request was cancelled while it waited.'));
      });
    });
  };
  const leave = (started: number): void => {
    meanMs += NEWEST * (performance.now() - started - meanMs);
    const next = queue.shift();
    // The place goes over to the next one.
    if (next === undefined) running -= 1;
    else next();
  };
  return async (ctx, next) => {
    const { route } = ctx.state.match;
    if (!isRow(route) || route.auth === 'open' || ALWAYS.has(route.operation.name)) return next();
    await enter(ctx);
    const started = performance.now();
    try {
      return await next();
    } finally {
      leave(started);
    }
  };
}

function busy(waitMs: number): SvcError {
  const retryAfter = Math.min(60, Math.max(1, Math.ceil(waitMs / 1000)));
  const sentence = `The service has more requests than it can queue; try again in ${retryAfter} s.`;
  return new SvcError('unavailable', sentence, undefined, { retryAfter, retriable: true });
}
