import type { Logger } from '../../telemetry/logger.js';
import type { Caller, Middleware } from '../route.js';

/**
 * Returns a middleware that logs one line a request: method, path (no query string), status, latency, the name of the
 * key, trace id. Never a header or a body.
 */
export function logging(log: Logger): Middleware {
  return async (ctx, next) => {
    const started = performance.now();
    try {
      await next();
    } finally {
      // Requests that are refused before they are authenticated have no caller.
      const caller: Caller | undefined = ctx.state.caller;
      log.info(
        {
          method: ctx.method,
          path: ctx.path,
          status: ctx.status,
          latency_ms: Math.round((performance.now() - started) * 100) / 100,
          ...(caller?.name === undefined ? {} : { key: caller.name }),
          ...(ctx.state.traceId === undefined ? {} : { trace_id: ctx.state.traceId }),
        },
        'request',
      );
    }
  };
}
