import { sql } from 'kysely';
import { conceptId, normaliseName, qualifiedId } from '../../../core/ids.js';
import { nameKey } from '../../../core/text/keys.js';
import { resolveEnd } from '../asserted.js';
import { withValues } from './rows.js';
import { CONCEPT, type DomainRef, ENTITY, lookupHash, nodesById, type Writer } from './tables.js';

/** Looks ends up by name or id: number of the node an end stands for now, 0 where there is none. */
export type Resolver = (end: string) => number;

/** Reads what is needed to resolve these ends, as the domain is now. */
export async function resolverFor(w: Writer, ends: Iterable<string>): Promise<Resolver> {
  const all = [...new Set(ends)];
  const { name: domain } = w.domain;
  const owned = await withValues(
    w.db,
    all.map((end) => nameKey(end)),
    (given) => sql<{ norm: string; id: string }>`select n.norm, min(n.id) as id from ${given}
      join node n on n.key = given.v and n.domain = ${w.domain.ref}
      where n.kind = ${CONCEPT} and n.own = 1 group by n.norm`,
  );
  const lowest = new Map(owned.map(({ norm, id }) => [norm, id]));
  const ids = new Set(lowest.values());
  for (const end of all) ids.add(conceptId(domain, end)).add(qualifiedId(domain, end));
  const nodes = new Map(
    (await nodesById(w.db, ids)).filter((node) => node.kind !== ENTITY).map((node) => [node.id, node]),
  );
  const named = (norm: string): string[] => {
    const hashed = nodes.get(conceptId(domain, norm));
    if (hashed?.kind === CONCEPT && hashed.norm === norm) return [hashed.id];
    const own = lowest.get(norm);
    return own === undefined ? [] : [own];
  };
  const found = new Map<string, number>();
  for (const end of all) {
    const id = resolveEnd(domain, end, { named, has: (candidate) => nodes.has(candidate) });
    found.set(end, id === null ? 0 : nodes.get(id)!.ref);
  }
  return (end) => found.get(end) ?? 0;
}

/** Hashes under which an end that stands for a node of this id and name is filed. */
export function endHashes(domain: DomainRef, node: { readonly id: string; readonly norm: string | null }): number[] {
  const short = node.id.slice(domain.name.length + 1);
  const texts = new Set([normaliseName(node.id), normaliseName(short), ...(node.norm === null ? [] : [node.norm])]);
  return [...texts].map((text) => endHash(domain, text));
}

/** Hash of an end as given. */
export function endHash(domain: DomainRef, end: string): number {
  return lookupHash(domain, normaliseName(end));
}
