import type { Config } from '../config.js';
import { VERSION } from '../core/version.js';
import { documentationPages } from './docs.js';
import { gatewayRows } from './gateway/rows.js';
import { openapi } from './openapi.js';
import type { Route, Row } from './route.js';
import { variantA } from './routes/variant-a.js';
import { variantB } from './routes/variant-b.js';

export type VariantName = 'a' | 'b';

/** What distinguishes the variants beside their rows. */
export interface Variant {
  readonly rows: readonly Row[];
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

/** Returns the OpenAPI document of a variant. */
export function documentOf(name: VariantName, config: Pick<Config, 'name'>): Record<string, unknown> {
  return openapi(VARIANTS[name].rows, {
    title: `Knowledge retrieval service, variant ${name.toUpperCase()}`,
    version: VERSION,
    name: config.name,
  });
}

/** Returns the rows and documentation of a variant. */
export function routesOf(name: VariantName, config: Pick<Config, 'name'>): Route[] {
  const { rows, base } = VARIANTS[name];
  return [...rows, ...documentationPages(documentOf(name, config), base)];
}
