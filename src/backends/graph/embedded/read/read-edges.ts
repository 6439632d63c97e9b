import { type Kysely, sql } from 'kysely';
import { edgeId, type GraphEdge, type JsonObject } from '../../../../core/model.js';
import type { Database } from '../../../store/schema.js';
import { compare } from '../../manifest/asserted.js';
import type { EdgeFilter, Neighbourhood } from '../../port.js';
import { edgeRows } from '../topology/expand.js';
import { smallest } from '../topology/hop.js';
import type { Topology } from '../topology/topology.js';
import { idsOfSlots, slotsOfIds } from './ids.js';
import { nodesOf } from './read-nodes.js';

interface Row {
  readonly source_id: string;
  readonly target_id: string;
  readonly relation_type: string;
  readonly confidence: number;
  readonly properties: string;
}

const PAGE = 2000;

/**
 * Edges that are seen, ordered by id. Among nodes or at one they are found by the topology; else the nodes are gone
 * through in order.
 */
export async function findEdges(db: Kysely<Database>, topology: Topology, filter: EdgeFilter): Promise<GraphEdge[]> {
  const at = filter.source_id ?? filter.target_id;
  if (at === undefined && filter.among === undefined) return edgesInOrder(db, filter);
  const refs =
    filter.among === undefined ? await refsAt(db, topology, at!) : await refsAmong(db, topology, filter.among);
  const rows = [...(await edgeRows(db, topology, refs)).values()];
  return rows
    .filter((edge) => filter.source_id === undefined || edge.source_id === filter.source_id)
    .filter((edge) => filter.target_id === undefined || edge.target_id === filter.target_id)
    .filter((edge) => filter.domain === undefined || edge.source_id.startsWith(`${filter.domain}:`))
    .sort((a, b) => compare(a.id, b.id))
    .slice(0, filter.limit);
}

/** Row numbers of the edges at a node. */
async function refsAt(db: Kysely<Database>, topology: Topology, id: string): Promise<Iterable<number>> {
  const { edges } = topology;
  const slot = (await slotsOfIds(db, topology, { ids: [id], domains: null })).get(id);
  return slot === undefined ? [] : edges.refs.slice(edges.start(slot), edges.end(slot));
}

/** Row numbers of the edges between nodes. */
async function refsAmong(db: Kysely<Database>, topology: Topology, ids: readonly string[]): Promise<Set<number>> {
  const { edges } = topology;
  const slots = new Set((await slotsOfIds(db, topology, { ids, domains: null })).values());
  const refs = new Set<number>();
  for (const slot of slots) {
    for (let at = edges.start(slot); at < edges.end(slot); at += 1) {
      if (slots.has(edges.targets[at]!)) refs.add(edges.refs[at]!);
    }
  }
  return refs;
}

async function edgesInOrder(db: Kysely<Database>, filter: EdgeFilter): Promise<GraphEdge[]> {
  const found: GraphEdge[] = [];
  for await (const page of edgePages(db, filter.domain)) {
    found.push(...page);
    if (filter.limit !== undefined && found.length >= filter.limit) break;
  }
  return found.sort((a, b) => compare(a.id, b.id)).slice(0, filter.limit);
}

/**
 * All edges, a page of source nodes at a time in the order of their ids. A page ends only where the next source does not
 * begin with the id of one before it, so that sorting by anything that starts with the source's id stays within pages.
 */
export async function* edgePages(db: Kysely<Database>, domain?: string): AsyncGenerator<GraphEdge[]> {
  let after = domain === undefined ? '' : `${domain}:`;
  const end = domain === undefined ? sql`` : sql`and n.id < ${`${domain};`}`;
  let carried: GraphEdge[] = [];
  for (;;) {
    const nodes = await sql<{ ref: number; id: string }>`select n.ref, n.id from node n
      where n.id > ${after} ${end} and n.kind <> 2 order by n.id limit ${PAGE}`.execute(db);
    const last = nodes.rows.at(-1);
    if (last === undefined) break;
    const rows = await sql<Row>`select a.id as source_id, b.id as target_id, e.relation as relation_type, e.confidence,
      e.properties from node a join edge e on e.src = a.ref and e.shown = 1 join node b on b.ref = e.dst
      where a.id > ${after} and a.id <= ${last.id}`.execute(db);
    const page = [...carried, ...rows.rows.map(edgeOf)];
    const open = openSources(page, last.id);
    carried = page.filter((edge) => open.has(edge.source_id));
    const closed = page.filter((edge) => !open.has(edge.source_id));
    if (closed.length > 0) yield closed.sort((a, b) => compare(a.id, b.id));
    after = last.id;
  }
  if (carried.length > 0) yield carried.sort((a, b) => compare(a.id, b.id));
}

/** Sources that the id of a later node may still begin with, and those that begin with one of them. */
function openSources(edges: readonly GraphEdge[], last: string): Set<string> {
  const sources = new Set(edges.map((edge) => edge.source_id));
  const roots = [...sources].filter((id) => last.startsWith(id));
  return new Set([...sources].filter((id) => roots.some((root) => id.startsWith(root))));
}

function edgeOf({ source_id, target_id, relation_type, confidence, properties }: Row): GraphEdge {
  const id = edgeId(source_id, relation_type, target_id);
  return { id, source_id, target_id, relation_type, confidence, properties: JSON.parse(properties) as JsonObject };
}

/** Nodes and typed edges around a node, by breadth. */
export async function neighbourhood(
  db: Kysely<Database>,
  topology: Topology,
  { id, depth, limit }: { readonly id: string; readonly depth: number; readonly limit: number },
): Promise<Neighbourhood> {
  const start = (await slotsOfIds(db, topology, { ids: [id], domains: null })).get(id);
  if (start === undefined) return { nodes: [], edges: [] };
  const { edges } = topology;
  const distance = new Map([[start, 0]]);
  const hops: number[][] = [[start]];
  for (let hop = 1; hop <= depth; hop += 1) {
    const next = new Set<number>();
    for (const slot of hops[hop - 1]!) {
      for (let at = edges.start(slot); at < edges.end(slot); at += 1) {
        if (!distance.has(edges.targets[at]!)) next.add(edges.targets[at]!);
      }
    }
    const kept = smallest(next, limit - distance.size, (slot) => topology.hashes[slot]!);
    for (const slot of kept) distance.set(slot, hop);
    hops.push(kept);
  }
  const refs = new Set<number>();
  for (const [slot, hop] of distance) {
    if (hop >= depth) continue;
    for (let at = edges.start(slot); at < edges.end(slot); at += 1)
      if (distance.has(edges.targets[at]!)) refs.add(edges.refs[at]!);
  }
  const names = await idsOfSlots(db, topology, distance.keys());
  const ids = hops.flatMap((slots) => slots.flatMap((slot) => names.get(slot) ?? []).sort(compare));
  const found = [...(await edgeRows(db, topology, refs)).values()].sort((a, b) => compare(a.id, b.id));
  return { nodes: await nodesOf(db, ids), edges: found };
}
