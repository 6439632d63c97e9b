import { SvcError } from '../../core/errors.js';
import type { OriginRules } from '../access.js';
import { isLoopback } from '../listen.js';
import type { Context, Middleware } from '../route.js';

/**
 * Refuses requests that a web page of another site sends, for a service that asks for no credentials: the `Host` must be
 * loopback or listed (against DNS rebinding), the `Origin`, where there is one, loopback, listed or the service itself.
 */
export function requireSameOrigin(rulesOf: (path: string) => OriginRules): Middleware {
  return (ctx, next) => {
    checkOrigin(ctx, rulesOf(ctx.path));
    return next();
  };
}

/** Throws `forbidden` for a request that `requireSameOrigin` refuses. */
export function checkOrigin(ctx: Context, rules: OriginRules): void {
  const reason = refusalOf(ctx, rules);
  if (reason !== undefined) throw new SvcError('forbidden', reason);
}

/** Returns why `requireSameOrigin` refuses a request; undefined where it does not. */
export function refusalOf(ctx: Context, { hosts, origins, setting }: OriginRules): string | undefined {
  const isServed = (name: string) => isLoopback(name) || hosts.includes(name);
  if (!isServed(hostName(ctx.get('Host')))) {
    return 'The Host header names a host that this service does not serve; add it to SVC_ALLOWED_HOSTS.';
  }
  const origin = ctx.get('Origin');
  if (origin === '' || origins.includes(origin)) return undefined;
  if (!URL.canParse(origin)) return 'The Origin header is not an origin.';
  if (isServed(new URL(origin).hostname)) return undefined;
  return `Pages of this Origin may not use the service; set SVC_API_KEYS or SVC_HMAC_SECRET, or add the origin to ${setting}.`;
}

function hostName(host: string): string {
  return host.replace(/:\d+$/, '').toLowerCase();
}
