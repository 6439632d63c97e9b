import { type Kysely, sql } from 'kysely';
import type { RefId } from '../../../../core/ref-ids.js';
import { withValues } from '../../../store/rows.js';
import type { Database } from '../../../store/schema.js';
import type { Topology } from '../topology/topology.js';

/** Ids of nodes given by row number; nodes that are gone by now are missing. */
export async function idsOfRefs(
  db: Kysely<Database>,
  topology: Topology,
  refs: Iterable<number>,
): Promise<Map<number, string>> {
  return topology.ids.idsOf(refs, (missing) =>
    withValues(db, missing, (given) => sql<RefId>`select n.ref, n.id from ${given} join node n on n.ref = given.v`),
  );
}

/** Ids of nodes given by slot; nodes that are gone by now are missing. */
export async function idsOfSlots(
  db: Kysely<Database>,
  topology: Topology,
  slots: Iterable<number>,
): Promise<Map<number, string>> {
  const refs = new Map<number, number>();
  for (const slot of slots) refs.set(topology.nodes.refs[slot]!, slot);
  const ids = await idsOfRefs(db, topology, refs.keys());
  return new Map([...ids].map(([ref, id]) => [refs.get(ref)!, id]));
}

/** Slots of nodes given by id, those of the given domains only; unknown ones are missing. */
export async function slotsOfIds(
  db: Kysely<Database>,
  topology: Topology,
  { ids, domains }: { readonly ids: Iterable<string>; readonly domains: ReadonlySet<number> | null },
): Promise<Map<string, number>> {
  const refs = await topology.ids.refsOf(ids, (missing) =>
    withValues(db, missing, (given) => sql<RefId>`select n.ref, n.id from ${given} join node n on n.id = given.v`),
  );
  const slots = new Map<string, number>();
  for (const [id, ref] of refs) {
    const slot = topology.nodes.find(ref);
    if (slot >= 0 && (domains === null || domains.has(topology.domains[slot]!))) slots.set(id, slot);
  }
  return slots;
}
