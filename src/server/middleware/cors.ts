import koaCors from '@koa/cors';
import type { Middleware } from '../route.js';

/** The gateway's answers name the allowed origin also where the request names none. */
export function gatewayCors(origin: string, methods: readonly string[]): Middleware {
  const origins = origin.split(',').map((one) => one.trim());
  const negotiated = cors(origins, methods);
  return (ctx, next) => {
    if (ctx.get('Origin') === '') ctx.set('Access-Control-Allow-Origin', origins.includes('*') ? '*' : origins[0]!);
    return negotiated(ctx, next);
  };
}

/** Allowed origins on every answer, errors too. `*` allows all, without credentials. */
export function cors(origins: readonly string[], methods: readonly string[]): Middleware {
  const allowed = new Set(origins);
  return koaCors({
    origin: allowed.has('*') ? '*' : (ctx) => (allowed.has(ctx.get('Origin')) ? ctx.get('Origin') : ''),
    allowMethods: [...methods],
    exposeHeaders: ['Retry-After', 'WWW-Authenticate', 'Allow'],
    maxAge: 600,
    keepHeadersOnError: false,
  }) as unknown as Middleware;
}
