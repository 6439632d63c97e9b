import koaCors from '@koa/cors';
import { isLoopback } from '../listen.js';
import type { Middleware } from '../route.js';

/** Sends the gateway's headers of CORS; its answers name the allowed origin also where the request names none. */
export function gatewayCors(origin: string, methods: readonly string[]): Middleware {
  const origins = origin.split(',').map((one) => one.trim());
  const negotiated = cors({ origins, methods, protected: true });
  return (ctx, next) => {
    if (ctx.get('Origin') === '') ctx.set('Access-Control-Allow-Origin', origins.includes('*') ? '*' : origins[0]!);
    return negotiated(ctx, next);
  };
}

export interface CorsOptions {
  /** Origins of web pages that may call; `*` allows all, without credentials. */
  readonly origins: readonly string[];
  /** Methods that a preflight allows. */
  readonly methods: readonly string[];
  /** Without credentials `*` means pages on loopback only. */
  readonly protected: boolean;
}

/** Sends the headers of CORS on every answer, errors too. */
export function cors({ origins, methods, protected: isProtected }: CorsOptions): Middleware {
  const allowed = new Set(origins);
  const isAllowed = (origin: string) => allowed.has(origin) || (!isProtected && allowed.has('*') && isLocal(origin));
  return koaCors({
    origin: isProtected && allowed.has('*') ? '*' : (ctx) => (isAllowed(ctx.get('Origin')) ? ctx.get('Origin') : ''),
    allowMethods: [...methods],
    exposeHeaders: ['Retry-After', 'WWW-Authenticate', 'Allow'],
    maxAge: 600,
    keepHeadersOnError: false,
  }) as unknown as Middleware;
}

function isLocal(origin: string): boolean {
  return URL.canParse(origin) && isLoopback(new URL(origin).hostname);
}
