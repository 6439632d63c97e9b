import { type RawBuilder, sql } from 'kysely';
import { forRows, forValues, GIVEN } from '../../backends/store/rows.js';
import type { Db } from '../../backends/store/schema.js';
import { FirstInOrder } from '../../core/async/first-in-order.js';
import { mapInSlices } from '../../core/async/slices.js';
import { sortInSlices } from '../../core/async/sort-in-slices.js';
import { partition } from '../../core/group-by.js';
import { edgeId, type GraphEdge, type JsonObject } from '../../core/model.js';
import { PAGE, pagesAfter } from '../groups.js';
import { compare } from '../manifest/asserted.js';
import {
  EDGE,
  EDGE_COUNT,
  edgePagesFrom,
  edgePagesOf,
  edgePagesTo,
  type JoinedEdgeRow,
  NODES,
  type SourceNode,
} from './edges/edges-at.js';
import type { EdgeFilter } from './filters.js';

/** Returns visible edges, ordered by id. */
export async function findEdges(db: Db, filter: EdgeFilter): Promise<GraphEdge[]> {
  const { source_id, target_id, among, domain } = filter;
  if (source_id === undefined && target_id === undefined && among === undefined) return edgesInOrder(db, filter);
  const nodes = among === undefined ? null : new Set(among);
  const isWanted = (edge: JoinedEdgeRow): boolean =>
    (target_id === undefined || edge.target_id === target_id) &&
    (nodes === null || (nodes.has(edge.source_id) && nodes.has(edge.target_id))) &&
    (domain === undefined || edge.source_id.startsWith(`${domain}:`));
  const first = new FirstInOrder<NamedEdgeRow>((a, b) => compare(a.id, b.id), filter.limit);
  for await (const page of edgePagesWith(db, filter)) {
    await first.add(page.filter(isWanted).map((row) => ({ id: idOf(row), row })));
  }
  return mapInSlices(await first.sorted(), ({ row }) => edgeOf(row));
}

interface NamedEdgeRow {
  readonly id: string;
  readonly row: JoinedEdgeRow;
}

/** Yields at least the edges that a filter by nodes finds. */
async function* edgePagesWith(db: Db, { source_id, target_id, among = [] }: EdgeFilter) {
  if (source_id === undefined) yield* target_id === undefined ? edgePagesFrom(db, among) : edgePagesTo(db, [target_id]);
  else if (target_id === undefined) yield* edgePagesFrom(db, [source_id]);
  else yield await rowsBetween(db, [[source_id, target_id]]);
}

/** Yields the visible edges of these relations at any of these nodes, once each, a page at a time. */
export async function* edgePagesAt(
  db: Db,
  ids: readonly string[],
  relations: readonly string[],
): AsyncGenerator<GraphEdge[]> {
  const sources = new Set(ids);
  const where = sql`and e.relation in (${sql.join(relations)})`;
  for await (const page of edgePagesFrom(db, sources, where)) yield page.map(edgeOf);
  for await (const page of edgePagesTo(db, sources, where)) {
    yield page.filter((edge) => !sources.has(edge.source_id)).map(edgeOf);
  }
}

/** Returns the visible edges of these assertion numbers. */
export async function edgesByRef(db: Db, refs: Iterable<number>): Promise<Map<number, GraphEdge>> {
  const rows = await forValues(
    db,
    refs,
  )<JoinedEdgeRow>`select ${EDGE} from ${GIVEN} join edge e on e.ref = given.v and e.shown = 1 ${NODES}`;
  return new Map(rows.map((row) => [row.ref, edgeOf(row)]));
}

/** Returns the visible edges from the first to the second node of any of these pairs. */
export async function edgesBetween(db: Db, pairs: readonly Pair[]): Promise<GraphEdge[]> {
  return (await rowsBetween(db, pairs)).map(edgeOf);
}

type Pair = readonly [source: string, target: string];

function rowsBetween(db: Db, pairs: readonly Pair[]): Promise<JoinedEdgeRow[]> {
  return forRows(
    db,
    { a: 'text', b: 'text' },
    pairs,
  )<JoinedEdgeRow>`select ${EDGE} from ${GIVEN} join node a on a.id = given.a
      join node b on b.id = given.b join edge e on e.src = a.ref and e.dst = b.ref where e.shown = 1`;
}

async function edgesInOrder(db: Db, filter: EdgeFilter): Promise<GraphEdge[]> {
  const found: GraphEdge[] = [];
  for await (const page of edgePages(db, filter)) {
    for (const edge of page) found.push(edge);
    if (filter.limit !== undefined && found.length >= filter.limit) break;
  }
  return (await sortInSlices(found, (a, b) => compare(a.id, b.id))).slice(0, filter.limit);
}

/**
 * Yields all edges, a page of source nodes at a time in the order of their ids. A page ends only where the next source
 * does not begin with the id of one before it, so that sorting by anything that starts with the source's id stays
 * within pages.
 */
export async function* edgePages(
  db: Db,
  { domain }: { readonly domain?: string | undefined },
): AsyncGenerator<GraphEdge[]> {
  for await (const page of edgeRowPages<JoinedEdgeRow>(db, { domain, columns: EDGE })) {
    yield sortInSlices(await mapInSlices(page, edgeOf), (a, b) => compare(a.id, b.id));
  }
}

/** Yields the same pages as rows of the given columns (of edge `e`, its source `a` and target `b`), each in any order. */
export async function* edgeRowPages<R extends { readonly source_id: string }>(
  db: Db,
  { domain, columns }: { readonly domain?: string | undefined; readonly columns: RawBuilder<unknown> },
): AsyncGenerator<R[]> {
  const end: RawBuilder<unknown> = domain === undefined ? sql`` : sql`and n.id < ${`${domain};`}`;
  const read = (after: string) =>
    sql<SourceNode & { id: string }>`select n.id, n.ref, ${EDGE_COUNT} as edges from node n
      where n.id > ${after} ${end} and n.kind <> 2 order by n.id limit ${PAGE}`.execute(db);
  const pages = pagesAfter(domain === undefined ? '' : `${domain}:`, read, {
    placeOf: ({ id }) => id,
    lane: 'patient',
  });
  let carried: R[] = [];
  for await (const nodes of pages) {
    const page = carried;
    for await (const rows of edgePagesOf<R>(db, nodes, columns)) for (const row of rows) page.push(row);
    const open = openSources(page, nodes.at(-1)!.id);
    const [still, closed] = partition(page, (edge) => open.has(edge.source_id));
    carried = still;
    if (closed.length > 0) yield closed;
  }
  if (carried.length > 0) yield carried;
}

/** Returns the sources that the id of a later node may still begin with, and those that begin with one of them. */
function openSources(edges: ReadonlyArray<{ readonly source_id: string }>, last: string): Set<string> {
  const sources = new Set(edges.map((edge) => edge.source_id));
  const roots = [...sources].filter((id) => last.startsWith(id));
  return new Set([...sources].filter((id) => roots.some((root) => id.startsWith(root))));
}

function idOf({ source_id, relation_type, target_id }: JoinedEdgeRow): string {
  return edgeId(source_id, relation_type, target_id);
}

function edgeOf(row: JoinedEdgeRow): GraphEdge {
  const { source_id, target_id, relation_type, confidence, properties } = row;
  const parsed = JSON.parse(properties) as JsonObject;
  return { id: idOf(row), source_id, target_id, relation_type, confidence, properties: parsed };
}
