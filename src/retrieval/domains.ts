import type { GraphBackend } from '../backends/graph/port.js';
import { SvcError } from '../core/errors.js';

/** The domains to search: undefined for all. Throws `domain_not_found` for one that does not exist. */
export async function checkedDomains(
  graph: GraphBackend,
  asked: readonly string[] | undefined,
): Promise<readonly string[] | undefined> {
  if (asked === undefined || asked.length === 0) return undefined;
  const names = [...new Set(asked)].sort();
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
