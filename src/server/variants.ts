import type { Config } from '../config.js';
import { VERSION } from '../core/version.js';
import { hasKeys, type Protection } from './access.js';
import { gatewayRows } from './gateway/rows.js';
import { openapi } from './openapi.js';
import type { RouteRow } from './routes/row.js';
import { variantA } from './routes/variant-a.js';
import { variantB } from './routes/variant-b.js';

export type VariantName = 'a' | 'b';
/** What one port serves: a variant, or the gateway without the rest of variant A. */
export type ServedName = VariantName | 'gateway';

/** What distinguishes the variants beside their rows. */
export interface Variant {
  readonly rows: readonly RouteRow[];
  readonly base: string;
  readonly port: (config: Pick<Config, 'http'>) => number;
  /** Upper bound of the signature's window, in seconds. */
  readonly hmacMaxAge: number;
}

export const VARIANTS: Readonly<Record<VariantName, Variant>> = {
  a: {
    rows: [...variantA, ...gatewayRows],
    base: '/v1',
    port: ({ http }) => http.port,
    hmacMaxAge: Number.POSITIVE_INFINITY,
  },
  b: { rows: variantB, base: '/api/v1', port: ({ http }) => http.port_b, hmacMaxAge: 60 },
};

/** How the service is told to be alive and ready; the gateway by itself has these rows too. */
const HEALTH = ['/v1/health', '/v1/ready'];

/** Returns what a port serves. The gateway by itself has variant A's port. */
export function servedAs(name: ServedName): Variant {
  if (name !== 'gateway') return VARIANTS[name];
  return {
    ...VARIANTS.a,
    rows: [...variantA.filter(({ path }) => HEALTH.includes(path)), ...gatewayRows],
    base: '/__gateway__',
  };
}

/** What of a configuration a document depends on. */
export interface DocumentConfig extends Pick<Config, 'name'> {
  readonly auth: Protection['auth'];
  readonly http: Pick<Config['http'], 'rate_limit'>;
}

/** Returns the OpenAPI document of what is served under a configuration: who must prove what, which statuses can come. */
export function documentOf(name: ServedName, { name: service, auth, http }: DocumentConfig): Record<string, unknown> {
  return openapi(servedAs(name).rows, {
    title: `Knowledge retrieval service, ${labelOf(name)}`,
    version: VERSION,
    name: service,
    credentials: { apiKeys: hasKeys({ auth }), signature: auth.hmac_secret !== null },
    isLimited: http.rate_limit !== null,
  });
}

/** Names what is served, for people. */
export function labelOf(name: ServedName): string {
  return name === 'gateway' ? 'gateway' : `variant ${name.toUpperCase()}`;
}
