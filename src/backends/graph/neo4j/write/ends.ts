import { nameKey } from '../../../../core/text/keys.js';
import { type End, endOf, resolveEnd } from '../../../../ledger/manifest/ends.js';
import type { Reads } from '../read/read-keys.js';

/** Looks ends up by name or id: the node an end stands for now, null where there is none. */
export type Resolver = (end: string) => string | null;

/** A domain, and what reads in it. */
interface Place {
  readonly state: Reads;
  readonly domain: string;
}

/** Reads what is needed to resolve these ends, as the domain is now. Most are hashed names: the rest is looked up apart. */
export async function resolverFor(w: Place, ends: Iterable<string>): Promise<Resolver> {
  const all = new Map<string, End>();
  for (const end of ends) if (!all.has(end)) all.set(end, endOf(w.domain, end));
  const hashed = await w.state.each<{ id: string; norm: string }>(
    'UNWIND $rows AS id MATCH (n:Node {id: id}) WHERE n.own IS NOT NULL RETURN id, n.norm AS norm',
    new Set([...all.values()].map((end) => end.hashed)),
  );
  const norms = new Map(hashed.map((row) => [row.id, row.norm]));
  const found = new Map<string, string>();
  const rest: Array<readonly [string, End]> = [];
  for (const [given, end] of all) {
    if (norms.get(end.hashed) === end.norm) found.set(given, end.hashed);
    else rest.push([given, end]);
  }
  if (rest.length > 0) await resolveOwn(w, rest, found);
  return (end) => found.get(end) ?? null;
}

/** Ends that no hashed concept stands for: a concept with a caller's id and that name, or a node with that id. */
async function resolveOwn(
  w: Place,
  ends: ReadonlyArray<readonly [string, End]>,
  found: Map<string, string>,
): Promise<void> {
  const concepts = await w.state.each<{ id: string; norm: string }>(
    `UNWIND $rows AS key MATCH (c:Concept {domain: $domain, key: key}) WHERE c.own
     RETURN c.norm AS norm, min(c.id) AS id`,
    new Set(ends.map(([given]) => nameKey(given))),
    { domain: w.domain },
  );
  const named = new Map(concepts.map(({ norm, id }) => [norm, [id]]));
  const nodes = await w.state.each<{ id: string }>(
    // The hint: a server that thinks there are few nodes scans them all for "not an entity", for each id.
    'UNWIND $rows AS id MATCH (n:Node {id: id}) USING INDEX SEEK n:Node(id) WHERE NOT n:Entity RETURN id',
    new Set(ends.map(([, end]) => end.own)),
  );
  const own = new Set(nodes.map((node) => node.id));
  const find = { named: (norm: string) => named.get(norm) ?? [], has: (id: string) => own.has(id) };
  for (const [given, end] of ends) {
    const id = resolveEnd(end, find);
    if (id !== null) found.set(given, id);
  }
}
