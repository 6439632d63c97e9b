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
  // An empty list stands for all domains, as none does: a model fills it in beside the one that it means.
  const named = Array.isArray(others.domains) ? others.domains.length > 0 : (others.domains ?? null) !== null;
  return domain === null || named ? input : { ...others, domains: [domain] };
}
