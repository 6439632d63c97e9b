import { sql } from 'kysely';
import { withValues } from '../../backends/store/rows.js';
import { normaliseName } from '../../core/ids.js';
import { nameKey } from '../../core/text/keys.js';
import { type End, endNorms, endOf, resolveEnd } from '../manifest/ends.js';
import { eachTurned, type NodeChanges } from '../manifest/node-changes.js';
import { CONCEPT, type DomainRef, ENTITY, lookupHash, type Writer } from '../tables.js';

/** Looks ends up by name or id: number of the node an end stands for now, 0 where there is none. */
export type Resolver = (end: string) => number;

interface Found {
  readonly ref: number;
  readonly id: string;
  readonly kind: number;
  readonly norm: string;
}

/** Reads what is needed to resolve these ends, as the domain is now. Most are hashed names: the rest is looked up apart. */
export async function resolverFor(w: Writer, ends: Iterable<string>): Promise<Resolver> {
  const all = new Map<string, End>();
  for (const end of ends) if (!all.has(end)) all.set(end, endOf(w.domain.name, end));
  const found = new Map<string, number>();
  const hashed = await conceptsById(
    w,
    [...all.values()].map((end) => end.hashed),
  );
  const rest: Array<readonly [string, End]> = [];
  for (const [given, end] of all) {
    const node = hashed.get(end.hashed);
    if (node !== undefined && node.kind === CONCEPT && node.norm === end.norm) found.set(given, node.ref);
    else rest.push([given, end]);
  }
  if (rest.length > 0) await resolveOwn(w, rest, found);
  return (end) => found.get(end) ?? 0;
}

/** Ends that no hashed concept stands for: a concept with a caller's id and that name, or a node with that id. */
async function resolveOwn(
  w: Writer,
  ends: ReadonlyArray<readonly [string, End]>,
  found: Map<string, number>,
): Promise<void> {
  const lowest = await withValues(
    w.db,
    ends.map(([given]) => nameKey(given)),
    (given) => sql<{ norm: string; id: string }>`select n.norm, min(n.id) as id from ${given}
      join node n on n.key = given.v and n.domain = ${w.domain.ref}
      where n.kind = ${CONCEPT} and n.own = 1 group by n.norm`,
  );
  const named = new Map(lowest.map(({ norm, id }) => [norm, [id]]));
  const nodes = await conceptsById(w, [...lowest.map((row) => row.id), ...ends.map(([, end]) => end.own)]);
  const find = { named: (norm: string) => named.get(norm) ?? [], has: (id: string) => nodes.has(id) };
  for (const [given, end] of ends) {
    const id = resolveEnd(end, find);
    if (id !== null) found.set(given, nodes.get(id)!.ref);
  }
}

/** Concepts and passages with these ids. */
async function conceptsById(w: Writer, ids: readonly string[]): Promise<Map<string, Found>> {
  const rows = await withValues(
    w.db,
    ids,
    (given) => sql<Found>`select n.ref, n.id, n.kind, n.norm from ${given} join node n on n.id = given.v`,
  );
  return new Map(rows.filter((row) => row.kind !== ENTITY).map((row) => [row.id, row]));
}

/** Hashes of the ends that may stand for a node which came, went or changed its name. */
export function turnedHashes({ domain }: Writer, nodes: NodeChanges): Set<number> {
  const hashes = new Set<number>();
  eachTurned(nodes, (id, seen) => {
    for (const norm of endNorms(domain.name, { id, norm: seen?.norm ?? null })) hashes.add(lookupHash(domain, norm));
  });
  return hashes;
}

/** Hash of an end as given. */
export function endHash(domain: DomainRef, end: string): number {
  return lookupHash(domain, normaliseName(end));
}
