import { sql } from 'kysely';
import { forRows, forValues, GIVEN } from '../../backends/store/rows.js';
import { mapInSlices } from '../../core/async/slices.js';
import { nameKey } from '../../core/text/keys.js';
import { hasNewNames, type NewName, newNamesOf } from '../edits/new-names.js';
import { compare } from '../manifest/asserted.js';
import type { Endpoint } from '../manifest/endpoints.js';
import type { Row, Writer } from '../tables.js';

/** A concept that another stands for now: `target` is the number of that one's node. */
export type MergedNode = Omit<Row<'merged_node'>, 'domain'>;

/** What a source asserts about such a concept. */
export type MergedAssertion = Row<'merged_concept'> & { readonly source_id: string };

/** Merges that count around some concepts, and what is not seen because of them. */
export interface MergesAround {
  /** From the id that goes to the id that stays. */
  readonly links: ReadonlyMap<string, string>;
  /** New names by edits, which lead from one concept to another too. */
  readonly names: readonly NewName[];
  /** Every concept that one of them, or of the new names, holds. */
  readonly ids: ReadonlySet<string>;
  readonly merged: ReadonlyMap<string, MergedNode>;
  readonly assertions: readonly MergedAssertion[];
}

const NONE: MergesAround = { links: new Map(), names: [], ids: new Set(), merged: new Map(), assertions: [] };

/**
 * Reads the merges and new names of these concepts, of merged ones that sources (by number) assert, and of all linked with
 * them.
 */
export async function mergesAround(
  w: Writer,
  given: readonly string[],
  sources: readonly number[],
): Promise<MergesAround> {
  if (given.length + sources.length === 0) return NONE;
  const any = await sql`select 1 from entity_merge where domain = ${w.domain.ref} limit 1`.execute(w.db);
  const renamed = await hasNewNames(w);
  if (any.rows.length === 0 && !renamed) return NONE;
  const asserted = await forValues(w.db, sources)<{ id: string }>`
    select distinct c.id from ${GIVEN} join merged_concept c on c.source = given.v`;
  const links = new Map<string, string>();
  const names = new Map<string, NewName>();
  const ids = new Set<string>();
  const met = new Set<string>();
  let fresh = [...new Set([...given, ...asserted.map((row) => row.id)])];
  while (fresh.length > 0) {
    for (const id of fresh) met.add(id);
    const found = await linksOf(w, fresh);
    for (const { from_id, into_id } of found) {
      links.set(from_id, into_id);
      ids.add(from_id).add(into_id);
    }
    for (const name of renamed ? await newNamesOf(w, fresh) : []) {
      names.set(`${name.concept} ${name.named}`, name);
      ids.add(name.concept).add(name.named);
    }
    fresh = [...ids].filter((id) => !met.has(id));
  }
  for (const { id } of asserted) ids.add(id);
  // Of merges that were undone the rows are there until this write.
  const merged = await mergedById(w, new Set([...met, ...ids]));
  for (const { id } of merged) ids.add(id);
  const assertions = await forValues(w.db, ids)<MergedAssertion>`
    select c.id, c.source, s.id as source_id, c.name, c.description, c.properties, c.confidence, c.version
    from ${GIVEN} join merged_concept c on c.id = given.v join source s on s.ref = c.source`;
  return { links, names: [...names.values()], ids, merged: new Map(merged.map((row) => [row.id, row])), assertions };
}

function linksOf({ db }: Writer, ids: readonly string[]) {
  return forValues(db, ids)<{ from_id: string; into_id: string }>`
    select m.from_id, m.into_id from ${GIVEN} join entity_merge m on m.from_id = given.v where m.undone_at is null
    union select m.from_id, m.into_id from ${GIVEN} join entity_merge m on m.into_id = given.v
    where m.undone_at is null`;
}

/** Returns the merged concepts among these ids. */
export function mergedById({ db }: Writer, ids: Iterable<string>): Promise<MergedNode[]> {
  return forValues(db, ids)<MergedNode>`
    select m.id, m.norm, m.key, m.target from ${GIVEN} join merged_node m on m.id = given.v`;
}

/** Returns the merged concepts that endpoints may stand for, in the order of their ids. */
export async function mergedEndpoints(w: Writer, endpoints: readonly Endpoint[]): Promise<MergedNode[]> {
  const any = await sql`select 1 from merged_node where domain = ${w.domain.ref} limit 1`.execute(w.db);
  if (any.rows.length === 0) return [];
  const byId = await mergedById(w, new Set(endpoints.flatMap(({ hashed, own }) => [hashed, own])));
  const byKey = await mergedByKey(w, await mapInSlices(endpoints, ({ norm }) => nameKey(norm)));
  const found = new Map([...byId, ...byKey].map((node) => [node.id, node]));
  return [...found.values()].sort((a, b) => compare(a.id, b.id));
}

/** Returns the merged concepts of the domain that have one of these keys. */
export async function mergedByKey({ db, domain }: Writer, keys: readonly string[]): Promise<MergedNode[]> {
  if (keys.length === 0) return [];
  const any = await sql`select 1 from merged_node where domain = ${domain.ref} limit 1`.execute(db);
  if (any.rows.length === 0) return [];
  return forValues(db, keys)<MergedNode>`
    select m.id, m.norm, m.key, m.target from ${GIVEN} cross join merged_node m where m.key = given.v
    and m.domain = ${domain.ref} order by m.id`;
}

/** Returns by concept the one that stands for it: the last asserted one that its merges lead to, if there is one. */
export function standIns(
  links: ReadonlyMap<string, string>,
  isAsserted: (id: string) => boolean,
): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const from of links.keys()) {
    if (!isAsserted(from)) continue;
    const seen = new Set([from]);
    let last: string | undefined;
    for (let id = links.get(from); id !== undefined && !seen.has(id); id = links.get(id)) {
      seen.add(id);
      if (isAsserted(id)) last = id;
    }
    if (last !== undefined) found.set(from, last);
  }
  return found;
}

/** Returns the names of merged concepts by which these nodes (numbers) are found: pairs of key and node. */
export async function aliasesOf(
  w: Writer,
  pairs: ReadonlyArray<readonly [key: string, node: number]>,
): Promise<Set<string>> {
  const rows = await forRows(w.db, { key: 'text', node: 'int' }, pairs)<{ key: string; node: number }>`
    select given.key, given.node from ${GIVEN} join key k on k.key = given.key and k.domain = ${w.domain.ref}
    join about a on a.key = k.ref and a.node = given.node`;
  return new Set(rows.map(({ key, node }) => `${node} ${key}`));
}
