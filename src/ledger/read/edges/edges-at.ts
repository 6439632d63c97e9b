import { type RawBuilder, sql } from 'kysely';
import { forRows, forValues, GIVEN } from '../../../backends/store/rows.js';
import type { Db } from '../../../backends/store/schema.js';
import { aliasedId, isAlias } from '../../edits/concept-edits.js';
import { PAGE, pagesAfter, refsOf, rowPages } from '../../groups.js';
import { endpointNorms } from '../../manifest/endpoints.js';
import { lookupHash } from '../../tables.js';

export interface JoinedEdgeRow {
  readonly ref: number;
  readonly source_id: string;
  readonly target_id: string;
  readonly relation_type: string;
  readonly confidence: number;
  readonly properties: string;
}

/** Columns of edge `e`, its source `a` and target `b`. */
export const EDGE = sql`e.ref, a.id as source_id, b.id as target_id, e.relation as relation_type, e.confidence, e.properties`;
export const NODES = sql`join node a on a.ref = e.src join node b on b.ref = e.dst`;

type EdgePages = AsyncGenerator<readonly JoinedEdgeRow[]>;

const ALL = sql``;

/**
 * Yields the visible edges from these nodes: nodes of few edges together, one of many in several pages. `where`: further
 * conditions on edge `e`, each after an `and`.
 */
export async function* edgePagesFrom(db: Db, ids: Iterable<string>, where = ALL): EdgePages {
  const nodes = await forValues(
    db,
    ids,
  )<SourceNode>`select n.ref, ${EDGE_COUNT} as edges from ${GIVEN} join node n on n.id = given.v`;
  yield* edgePagesOf<JoinedEdgeRow>(db, nodes, EDGE, where);
}

/** A node, and how many edge assertions it is the source of. */
export interface SourceNode {
  readonly ref: number;
  readonly edges: number;
}

/** Of a node `n`. */
export const EDGE_COUNT = sql`(select count(*) from edge e where e.src = n.ref)`;

/** Where an edge stands among those of its source. */
interface Place {
  readonly dst: number;
  readonly ref: number;
}

/** Yields columns (of edge `e`, its source `a` and target `b`) of the visible edges from these nodes, in the same way. */
export function edgePagesOf<R>(
  db: Db,
  nodes: readonly SourceNode[],
  columns: RawBuilder<unknown>,
  where = ALL,
): AsyncGenerator<readonly R[]> {
  const page = (node: number, after: Place) =>
    sql<R & Place>`select ${columns}, e.dst, e.ref from edge e cross join node a cross join node b
      where e.src = ${node} and e.shown = 1 ${where} and (e.dst, e.ref) > (${after.dst}, ${after.ref})
      and a.ref = e.src and b.ref = e.dst order by e.dst, e.ref limit ${PAGE}`.execute(db);
  return rowPages(nodes, ({ edges }) => Number(edges), {
    few: (part) =>
      forValues(
        db,
        refsOf(part),
      )<R>`select ${columns} from ${GIVEN} join edge e on e.src = given.v and e.shown = 1 ${where} ${NODES}`,
    many: ({ ref }) => pagesAfter({ dst: 0, ref: 0 }, (after) => page(ref, after), { placeOf: (row) => row }),
  });
}

/**
 * Yields the visible edges to these nodes, in the same way. Edges are filed under the names of their endpoints, and those
 * that may stand for a node are looked up by hash.
 */
export async function* edgePagesTo(db: Db, ids: Iterable<string>, where = ALL): EdgePages {
  const targets = await targetsOf(db, 'id', ids);
  const columns = { ref: 'int', hash: 'int' } as const;
  const filed = await forRows(db, columns, hashesOf(targets))<{
    ref: number;
    hash: number;
    edges: number;
  }>`select given.ref, given.hash,
      (select count(*) from edge e where e.dst_hash = given.hash) as edges from ${GIVEN}`;
  const page = ({ ref, hash }: { readonly ref: number; readonly hash: number }, after: number) =>
    sql<JoinedEdgeRow>`select ${EDGE} from edge e cross join node a cross join node b
      where e.dst_hash = ${hash} and e.dst = ${ref} and e.shown = 1 ${where} and e.ref > ${after}
      and a.ref = e.src and b.ref = e.dst order by e.ref limit ${PAGE}`.execute(db);
  yield* rowPages(filed, ({ edges }) => Number(edges), {
    few: (part) =>
      forRows(
        db,
        columns,
        part.map(({ ref, hash }) => [ref, hash]),
      )<JoinedEdgeRow>`select ${EDGE} from ${GIVEN} join edge e on e.dst_hash = given.hash
        and e.dst = given.ref and e.shown = 1 ${where} ${NODES}`,
    many: (name) => pagesAfter(0, (after) => page(name, after), { placeOf: ({ ref }) => ref }),
  });
}

interface TargetRow {
  readonly ref: number;
  readonly id: string;
  readonly norm: string;
  readonly domain: number;
  readonly name: string;
}

/** Returns these nodes, and the merged and renamed concepts that they stand for, each with the node's number. */
async function targetsOf(
  db: Db,
  column: 'id' | 'ref',
  values: Iterable<string> | Iterable<number>,
): Promise<TargetRow[]> {
  const node = sql`node n on ${sql.ref(`n.${column}`)} = given.v`;
  const rows = await forValues(db, values)<TargetRow>`
    select n.ref, n.id, n.norm, n.domain, d.name from ${GIVEN} join ${node} join domain d on d.ref = n.domain
    union all select n.ref, m.id, m.norm, n.domain, d.name from ${GIVEN} join ${node}
    join merged_node m on m.target = n.ref join domain d on d.ref = n.domain`;
  return rows.map((row) => (isAlias(row.id) ? { ...row, id: aliasedId(row.id) } : row));
}

/** Returns number and hash of every name under which an edge to these nodes may be filed. */
function hashesOf(targets: readonly TargetRow[]): Array<readonly [number, number]> {
  const hashes = new Map<string, readonly [number, number]>();
  for (const { ref, id, norm, domain, name } of targets) {
    for (const endpoint of endpointNorms(name, { id, norm })) {
      const hash = lookupHash({ ref: domain, name }, endpoint);
      hashes.set(`${ref} ${hash}`, [ref, hash]);
    }
  }
  return [...hashes.values()];
}

/** Returns the assertion numbers of the visible edges at the nodes of these numbers. */
export async function edgeRefsAt(db: Db, refs: Iterable<number>): Promise<number[]> {
  const given = [...refs];
  const from = await forValues(db, given)<{
    ref: number;
  }>`select e.ref from ${GIVEN} join edge e on e.src = given.v and e.shown = 1`;
  const targets = await targetsOf(db, 'ref', given);
  const to = await forRows(db, { ref: 'int', hash: 'int' }, hashesOf(targets))<{
    ref: number;
  }>`select e.ref from ${GIVEN} join edge e on e.dst_hash = given.hash
      and e.dst = given.ref and e.shown = 1`;
  return [...from, ...to].map(({ ref }) => ref);
}
