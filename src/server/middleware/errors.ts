import { systemClock } from '../../core/clock.js';
import { type SvcError, statusOf, toSvcError } from '../../core/errors.js';
import { describeError, type Logger } from '../../telemetry/logger.js';
import { RepeatedFailures } from '../../telemetry/repeated-failures.js';
import { errorBodyAt } from '../gateway/surface.js';
import type { Middleware } from '../route.js';

/** Makes an error the body that the surface at a path sends: variants A and B share one shape, the gateway's APIs have theirs. */
export type ErrorShape = (path: string, error: SvcError) => unknown;

/**
 * Makes errors into answers, in this one place: always JSON, nothing about the cause of an internal one but in the log.
 */
export function errors(log: Logger, shape: ErrorShape = errorBodyAt): Middleware {
  const away = new RepeatedFailures(log, systemClock);
  return async (ctx, next) => {
    try {
      await next();
    } catch (thrown) {
      const error = toSvcError(thrown);
      if (error.code === 'internal') {
        log.error({ err: describeError(error.cause ?? error), trace_id: ctx.state.traceId }, 'request failed');
      }
      // The answer may not say which part is away, and why.
      if (error.code === 'unavailable' && error.cause !== undefined) {
        away.noted('requests', error, 'a part of the service does not answer');
      }
      // A page that already began to stream can only be cut off.
      if (ctx.headerSent) {
        ctx.res.destroy();
        return;
      }
      ctx.respond = true;
      ctx.status = statusOf(error.code);
      if (error.retryAfter !== undefined) ctx.set('Retry-After', String(Math.ceil(error.retryAfter)));
      ctx.body = shape(ctx.path, error);
    }
  };
}
