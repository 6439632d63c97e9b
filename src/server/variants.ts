import type { Config } from '../config.js';
import { VERSION } from '../core/version.js';
import { hasKeys, type Protection } from './access.js';
import { consolePage } from './console.js';
import { documentationPages } from './docs.js';
import { gatewayRows } from './gateway/rows.js';
import { openapi } from './openapi.js';
import type { Route, RouteRow } from './route.js';
import { variantA } from './routes/variant-a.js';
import { variantB } from './routes/variant-b.js';

export type VariantName = 'a' | 'b';

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

/** What of a configuration a document depends on. */
export interface DocumentConfig extends Pick<Config, 'name'> {
  readonly auth: Protection['auth'];
  readonly http: Pick<Config['http'], 'rate_limit'>;
}

/** Returns the OpenAPI document of a variant under a configuration: who must prove what, and which statuses can come. */
export function documentOf(name: VariantName, { name: service, auth, http }: DocumentConfig): Record<string, unknown> {
  return openapi(VARIANTS[name].rows, {
    title: `Knowledge retrieval service, variant ${name.toUpperCase()}`,
    version: VERSION,
    name: service,
    credentials: { apiKeys: hasKeys({ auth }), signature: auth.hmac_secret !== null },
    isLimited: http.rate_limit !== null,
  });
}

/** Returns the rows and documentation of a variant, and what its address shows in a browser. */
export function routesOf(name: VariantName, config: DocumentConfig): Route[] {
  const { rows, base } = VARIANTS[name];
  const start = name === 'a' ? consolePage : toDocumentation;
  return [...rows, ...documentationPages(documentOf(name, config), base), start];
}

const toDocumentation: Route = { method: 'GET', path: '/', auth: 'open', handle: (ctx) => ctx.redirect('/docs') };
