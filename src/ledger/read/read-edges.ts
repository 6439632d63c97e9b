import { type Kysely, type RawBuilder, sql } from 'kysely';
import { withRows, withValues } from '../../backends/store/rows.js';
import type { Database } from '../../backends/store/schema.js';
import { slicer } from '../../core/async/slices.js';
import { edgeId, type GraphEdge, type JsonObject } from '../../core/model.js';
import { compare } from '../manifest/asserted.js';
import { endpointNorms } from '../manifest/endpoints.js';
import { lookupHash } from '../tables.js';
import type { EdgeFilter } from './filters.js';

interface JoinedEdgeRow {
  readonly ref: number;
  readonly source_id: string;
  readonly target_id: string;
  readonly relation_type: string;
  readonly confidence: number;
  readonly properties: string;
}

const PAGE = 1000;

const EDGE = sql`e.ref, a.id as source_id, b.id as target_id, e.relation as relation_type, e.confidence, e.properties`;
const NODES = sql`join node a on a.ref = e.src join node b on b.ref = e.dst`;

/** Returns visible edges, ordered by id. */
export async function findEdges(db: Kysely<Database>, filter: EdgeFilter): Promise<GraphEdge[]> {
  const { source_id, target_id, among } = filter;
  if (source_id === undefined && target_id === undefined && among === undefined) return edgesInOrder(db, filter);
  const rows =
    source_id !== undefined
      ? await edgesFrom(db, [source_id])
      : target_id !== undefined
        ? await edgesTo(db, [target_id])
        : await edgesFrom(db, among!);
  const nodes = among === undefined ? null : new Set(among);
  return rows
    .filter((edge) => target_id === undefined || edge.target_id === target_id)
    .filter((edge) => nodes === null || (nodes.has(edge.source_id) && nodes.has(edge.target_id)))
    .filter((edge) => filter.domain === undefined || edge.source_id.startsWith(`${filter.domain}:`))
    .sort((a, b) => compare(a.id, b.id))
    .slice(0, filter.limit);
}

/** Returns the visible edges at any of these nodes, once each. */
export async function edgesAt(db: Kysely<Database>, ids: readonly string[]): Promise<GraphEdge[]> {
  const found = [...(await edgesFrom(db, ids)), ...(await edgesTo(db, ids))];
  return [...new Map(found.map((edge) => [edge.id, edge])).values()];
}

async function edgesFrom(db: Kysely<Database>, ids: readonly string[]): Promise<GraphEdge[]> {
  const rows = await withValues(
    db,
    ids,
    (given) => sql<JoinedEdgeRow>`select ${EDGE} from ${given} join node a on a.id = given.v
      join edge e on e.src = a.ref and e.shown = 1 join node b on b.ref = e.dst`,
  );
  return rows.map(edgeOf);
}

/**
 * Returns the edge assertions at these nodes: edges are filed under the names of their endpoints, and those that may
 * stand for a node are looked up by hash.
 */
async function edgesTo(db: Kysely<Database>, ids: readonly string[]): Promise<GraphEdge[]> {
  const nodes = await withValues(
    db,
    ids,
    (given) => sql<TargetRow>`select ${TARGET} from ${given} join node n on n.id = given.v
      join domain d on d.ref = n.domain`,
  );
  const rows = await withRows(
    db,
    { columns: { ref: 'int', hash: 'int' }, rows: hashesOf(nodes) },
    (
      given,
    ) => sql<JoinedEdgeRow>`select ${EDGE} from ${given} join edge e on e.dst_hash = given.hash and e.dst = given.ref
      and e.shown = 1 ${NODES}`,
  );
  return rows.map(edgeOf);
}

interface TargetRow {
  readonly ref: number;
  readonly id: string;
  readonly norm: string;
  readonly domain: number;
  readonly name: string;
}

const TARGET = sql`n.ref, n.id, n.norm, n.domain, d.name`;

/** Returns number and hash of every name under which an edge to these nodes may be filed. */
function hashesOf(nodes: readonly TargetRow[]): Array<readonly [number, number]> {
  return nodes.flatMap(({ ref, id, norm, domain, name }) =>
    [...new Set(endpointNorms(name, { id, norm }))].map(
      (endpoint) => [ref, lookupHash({ ref: domain, name }, endpoint)] as const,
    ),
  );
}

/** Returns the assertion numbers of the visible edges at the nodes of these numbers. */
export async function edgeRefsAt(db: Kysely<Database>, refs: Iterable<number>): Promise<number[]> {
  const given = [...refs];
  const from = await withValues(
    db,
    given,
    (nodes) => sql<{ ref: number }>`select e.ref from ${nodes} join edge e on e.src = given.v and e.shown = 1`,
  );
  const targets = await withValues(
    db,
    given,
    (nodes) => sql<TargetRow>`select ${TARGET} from ${nodes} join node n on n.ref = given.v
      join domain d on d.ref = n.domain`,
  );
  const to = await withRows(
    db,
    { columns: { ref: 'int', hash: 'int' }, rows: hashesOf(targets) },
    (hashes) => sql<{ ref: number }>`select e.ref from ${hashes} join edge e on e.dst_hash = given.hash
      and e.dst = given.ref and e.shown = 1`,
  );
  return [...from, ...to].map(({ ref }) => ref);
}

/** Returns the visible edges of these assertion numbers. */
export async function edgesByRef(db: Kysely<Database>, refs: Iterable<number>): Promise<Map<number, GraphEdge>> {
  const rows = await withValues(
    db,
    refs,
    (given) => sql<JoinedEdgeRow>`select ${EDGE} from ${given} join edge e on e.ref = given.v and e.shown = 1 ${NODES}`,
  );
  return new Map(rows.map((row) => [row.ref, edgeOf(row)]));
}

/** Returns the visible edges from the first to the second node of any of these pairs. */
export async function edgesBetween(
  db: Kysely<Database>,
  pairs: ReadonlyArray<readonly [string, string]>,
): Promise<GraphEdge[]> {
  const rows = await withRows(
    db,
    { columns: { a: 'text', b: 'text' }, rows: pairs },
    (given) => sql<JoinedEdgeRow>`select ${EDGE} from ${given} join node a on a.id = given.a
      join node b on b.id = given.b join edge e on e.src = a.ref and e.dst = b.ref where e.shown = 1`,
  );
  return rows.map(edgeOf);
}

async function edgesInOrder(db: Kysely<Database>, filter: EdgeFilter): Promise<GraphEdge[]> {
  const found: GraphEdge[] = [];
  for await (const page of edgePages(db, filter)) {
    for (const edge of page) found.push(edge);
    if (filter.limit !== undefined && found.length >= filter.limit) break;
  }
  return found.sort((a, b) => compare(a.id, b.id)).slice(0, filter.limit);
}

/**
 * Yields all edges, a page of source nodes at a time in the order of their ids. A page ends only where the next source
 * does not begin with the id of one before it, so that sorting by anything that starts with the source's id stays
 * within pages.
 */
export async function* edgePages(
  db: Kysely<Database>,
  { domain }: { readonly domain?: string | undefined },
): AsyncGenerator<GraphEdge[]> {
  for await (const page of edgeRowPages<JoinedEdgeRow>(db, { domain, columns: EDGE })) {
    yield page.map(edgeOf).sort((a, b) => compare(a.id, b.id));
  }
}

/** Yields the same pages as rows of the given columns (of edge `e`, its source `a` and target `b`), each in any order. */
export async function* edgeRowPages<R extends { readonly source_id: string }>(
  db: Kysely<Database>,
  { domain, columns }: { readonly domain?: string | undefined; readonly columns: RawBuilder<unknown> },
): AsyncGenerator<R[]> {
  const pause = slicer();
  let after = domain === undefined ? '' : `${domain}:`;
  const end: RawBuilder<unknown> = domain === undefined ? sql`` : sql`and n.id < ${`${domain};`}`;
  let carried: R[] = [];
  for (;;) {
    const nodes = await sql<{ id: string }>`select n.id from node n
      where n.id > ${after} ${end} and n.kind <> 2 order by n.id limit ${PAGE}`.execute(db);
    const last = nodes.rows.at(-1);
    if (last === undefined) break;
    const rows = await sql<R>`select ${columns} from node a join edge e on e.src = a.ref and e.shown = 1
      join node b on b.ref = e.dst where a.id > ${after} and a.id <= ${last.id}`.execute(db);
    const page = [...carried, ...rows.rows];
    const open = openSources(page, last.id);
    carried = page.filter((edge) => open.has(edge.source_id));
    const closed = page.filter((edge) => !open.has(edge.source_id));
    if (closed.length > 0) yield closed;
    after = last.id;
    await pause();
  }
  if (carried.length > 0) yield carried;
}

/** Returns the sources that the id of a later node may still begin with, and those that begin with one of them. */
function openSources(edges: ReadonlyArray<{ readonly source_id: string }>, last: string): Set<string> {
  const sources = new Set(edges.map((edge) => edge.source_id));
  const roots = [...sources].filter((id) => last.startsWith(id));
  return new Set([...sources].filter((id) => roots.some((root) => id.startsWith(root))));
}

function edgeOf({ source_id, target_id, relation_type, confidence, properties }: JoinedEdgeRow): GraphEdge {
  const id = edgeId(source_id, relation_type, target_id);
  return { id, source_id, target_id, relation_type, confidence, properties: JSON.parse(properties) as JsonObject };
}
