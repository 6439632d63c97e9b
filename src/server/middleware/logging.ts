import type { Logger } from '../../telemetry/logger.js';
import type { Middleware } from '../route.js';

/**
 * Returns logs one line per request: method, path (no query string), status, latency, trace id. Never a header or a
 * body.
 */
export function logging(log: Logger): Middleware {
  return async (ctx, next) => {
    const started = performance.now();
    try {
      await next();
    } finally {
      log.info(
        {
          method: ctx.method,
          path: ctx.path,
          status: ctx.status,
          latency_ms: Math.round((performance.now() - started) * 100) / 100,
          ...(ctx.state.traceId === undefined ? {} : { trace_id: ctx.state.traceId }),
        },
        'request',
      );
    }
  };
}
