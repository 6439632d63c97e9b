import type { TSchema } from '@sinclair/typebox';

type Input = Record<string, unknown>;

/**
 * Returns the input with a lone `domain` as the list `domains`, for an operation that has the list only: left out as an
 * unknown member, a question about one user's domain would be answered from those of all.
 */
export function domainAsList(schema: TSchema, input: Input): Input {
  const properties = (schema.properties ?? {}) as Record<string, TSchema>;
  if (properties.domains === undefined || properties.domain !== undefined) return input;
  const { domain = null, ...others } = input;
  return domain === null || (others.domains ?? null) !== null ? input : { ...others, domains: [domain] };
}
