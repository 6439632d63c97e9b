import { type Kysely, sql } from 'kysely';
import type { Database } from '../../store/schema.js';
import { withValues } from './rows.js';
import type { Topology } from './topology.js';

/** Ids of nodes given by slot; nodes that are gone by now are missing. */
export async function idsOfSlots(
  db: Kysely<Database>,
  topology: Topology,
  slots: Iterable<number>,
): Promise<Map<number, string>> {
  const refs = new Map<number, number>();
  for (const slot of slots) refs.set(topology.nodes.refs[slot]!, slot);
  const rows = await withValues(
    db,
    refs.keys(),
    (given) => sql<{ ref: number; id: string }>`select n.ref, n.id from ${given} join node n on n.ref = given.v`,
  );
  return new Map(rows.map(({ ref, id }) => [refs.get(ref)!, id]));
}

/** Slots of nodes given by id, those of the given domains only; unknown ones are missing. */
export async function slotsOfIds(
  db: Kysely<Database>,
  topology: Topology,
  { ids, domains }: { readonly ids: Iterable<string>; readonly domains: ReadonlySet<number> | null },
): Promise<Map<string, number>> {
  const rows = await withValues(
    db,
    ids,
    (given) => sql<{ ref: number; id: string }>`select n.ref, n.id from ${given} join node n on n.id = given.v`,
  );
  const slots = new Map<string, number>();
  for (const { ref, id } of rows) {
    const slot = topology.nodes.find(ref);
    if (slot >= 0 && (domains === null || domains.has(topology.domains[slot]!))) slots.set(id, slot);
  }
  return slots;
}

/** Numbers of the named domains; null means all. */
export async function domainNumbers(
  db: Kysely<Database>,
  names: readonly string[] | undefined,
): Promise<ReadonlySet<number> | null> {
  if (names === undefined || names.length === 0) return null;
  const rows = await withValues(
    db,
    names,
    (given) => sql<{ ref: number }>`select d.ref from ${given} join domain d on d.name = given.v`,
  );
  return new Set(rows.map((row) => row.ref));
}
