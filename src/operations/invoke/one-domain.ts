import type { TSchema } from '@sinclair/typebox';

type Input = Record<string, unknown>;
type Properties = Readonly<Record<string, TSchema>>;

/** Schemas with a `domain` beside their `domains`. */
const extended = new WeakMap<TSchema, TSchema>();

/**
 * Returns the schema of an input: where an operation has a list `domains` alone, one `domain` may stand in its place. Left out as
 * an unknown member, a question about one user's domain would be answered from those of all. Where both stand, the list counts.
 */
export function schemaFor(schema: TSchema, { domain = null, domains = [] }: Input): TSchema {
  const properties = (schema.properties ?? {}) as Properties;
  if (!takesOneDomain(properties) || domain === null || !isEmpty(domains)) return schema;
  let known = extended.get(schema);
  if (known === undefined) {
    known = { ...schema, properties: { ...properties, domain: properties.domains!.items as TSchema } };
    extended.set(schema, known);
  }
  return known;
}

/** Returns an input that is valid by such a schema as the operation receives it. */
export function domainAsList({ domain, ...others }: Input): Input {
  return { ...others, domains: [domain] };
}

/** Returns whether one `domain` may stand in the place of `domains` among these members. */
export function takesOneDomain(properties: Properties): boolean {
  return properties.domains !== undefined && properties.domain === undefined;
}

/** An empty list stands for all domains, as none does: a model fills it in beside the one that it means. */
function isEmpty(domains: unknown): boolean {
  return domains === null || (Array.isArray(domains) && domains.length === 0);
}
