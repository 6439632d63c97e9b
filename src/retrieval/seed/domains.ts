import type { GraphBackend } from '../../backends/graph/port.js';
import { SvcError } from '../../core/errors.js';

/** Returns each requested domain once, in order; undefined for all. */
export function namesOf(requested: readonly string[] | undefined): readonly string[] | undefined {
  return requested === undefined || requested.length === 0 ? undefined : [...new Set(requested)].sort();
}

/** Returns the domains to search: undefined for all. Throws `domain_not_found` for one that does not exist. */
export async function checkedDomains(
  graph: GraphBackend,
  requested: readonly string[] | undefined,
): Promise<readonly string[] | undefined> {
  const names = namesOf(requested);
  if (names === undefined) return undefined;
  const found = await Promise.all(names.map((name) => graph.getDomain(name)));
  found.forEach((domain, i) => {
    if (domain !== null) return;
    const name = names[i]!;
    throw new SvcError(
      'domain_not_found',
      `The domain "${name}" does not exist; list the domains, or ingest into it first.`,
      {
        member: 'domains',
        domain: name,
      },
    );
  });
  return names;
}
