import koaCors from '@koa/cors';
import { isLoopback } from '../listen.js';
import type { Context, Middleware } from '../route.js';

export interface GatewayCorsOptions {
  /** Origins of web pages that may call; `*` allows all. */
  readonly origins: readonly string[];
  /** Methods that a preflight allows. */
  readonly methods: readonly string[];
  /** Whether a request is refused for its origin or its host; its answer then names no origin. */
  readonly isRefused: (ctx: Context) => boolean;
}

/** Sends the gateway's headers of CORS; its answers name the allowed origin also where the request names none. */
export function gatewayCors({ origins, methods, isRefused }: GatewayCorsOptions): Middleware {
  const negotiated = cors({ origins, methods, protected: true });
  return (ctx, next) => {
    if (isRefused(ctx)) return next();
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
