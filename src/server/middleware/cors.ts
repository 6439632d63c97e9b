import koaCors from '@koa/cors';
import type { Middleware } from '../route.js';

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
