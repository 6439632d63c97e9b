import { httpRequests, httpSeconds } from '../../telemetry/metrics.js';
import type { Middleware } from '../route.js';

/** Counts requests and measures them, by the path of their route: what no route serves counts as `none`. */
export function measuring(): Middleware {
  return async (ctx, next) => {
    const started = performance.now();
    try {
      await next();
    } finally {
      const labels = { method: methodOf(ctx.method), route: ctx.state.match?.route?.path ?? 'none' };
      httpRequests.inc({ ...labels, status: String(ctx.status) });
      httpSeconds.observe(labels, (performance.now() - started) / 1000);
    }
  };
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Returns a method as a label: callers may send any word. */
function methodOf(method: string): string {
  return METHODS.has(method) ? method : 'other';
}
