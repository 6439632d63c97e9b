import { SvcError } from '../../core/errors.js';
import { isLoopback } from '../listen.js';
import type { Context, Middleware } from '../route.js';

export interface OriginRules {
  /** Host names under which the service may be addressed, beside those of loopback. */
  readonly hosts: readonly string[];
  /** Origins of web pages that may call, beside those on loopback; `*` names none of them here. */
  readonly origins: readonly string[];
}

/**
 * Refuses requests that a web page of another site sends, for a service that asks for no credentials: the `Host` must be
 * loopback or listed (against DNS rebinding), the `Origin`, where there is one, loopback, listed or the service itself.
 */
export function requireSameOrigin(rules: OriginRules): Middleware {
  return (ctx, next) => {
    checkOrigin(ctx, rules);
    return next();
  };
}

/** Throws `forbidden` for a request that `requireSameOrigin` refuses. */
export function checkOrigin(ctx: Context, { hosts, origins }: OriginRules): void {
  const isServed = (name: string) => isLoopback(name) || hosts.includes(name);
  if (!isServed(hostName(ctx.get('Host')))) {
    throw new SvcError(
      'forbidden',
      'The Host header names a host that this service does not serve; add it to SVC_ALLOWED_HOSTS.',
    );
  }
  const origin = ctx.get('Origin');
  if (origin === '' || origins.includes(origin)) return;
  const page = URL.canParse(origin) ? new URL(origin).hostname : undefined;
  if (page === undefined) throw new SvcError('forbidden', 'The Origin header is not an origin.');
  if (!isServed(page)) {
    throw new SvcError(
      'forbidden',
      'Pages of this Origin may not use the service; set SVC_API_KEYS or SVC_HMAC_SECRET, or add the origin to SVC_CORS_ORIGINS.',
    );
  }
}

function hostName(host: string): string {
  return host.replace(/:\d+$/, '').toLowerCase();
}
