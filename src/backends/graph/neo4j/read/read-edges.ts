import type { GraphEdge, JsonObject } from '../../../../core/model.js';
import { compare } from '../../../../ledger/manifest/asserted.js';
import { int } from '../../../neo4j-connection.js';
import type { EdgeFilter, Neighbourhood } from '../../port.js';
import { bySample } from '../../sample.js';
import { nodesOf } from './read-nodes.js';
import type { Reader } from './reader.js';

export interface EdgeRow {
  readonly id: string;
  readonly source_id: string;
  readonly target_id: string;
  readonly relation_type: string;
  readonly confidence: number;
  readonly properties: string;
}

/** A typed edge `r` as a map. */
export const EDGE = `{id: r.id, source_id: startNode(r).id, target_id: endNode(r).id, relation_type: type(r),
  confidence: r.confidence, properties: r.properties}`;

/** Pairs first: between two nodes that are known, an edge is found from the one that has fewer. */
const AMONG = `MATCH (n:Node) WHERE n.id IN $among WITH collect(n) AS nodes
  UNWIND nodes AS a UNWIND nodes AS b MATCH (a)-[r]->(b)`;

export function edgeOf(row: EdgeRow): GraphEdge {
  const { id, source_id, target_id, relation_type, confidence } = row;
  return { id, source_id, target_id, relation_type, confidence, properties: JSON.parse(row.properties) as JsonObject };
}

/** Edges that are seen, ordered by id. */
export async function findEdges(reader: Reader, filter: EdgeFilter): Promise<GraphEdge[]> {
  const { source_id, target_id, among, domain, limit } = filter;
  const where = ['r.id IS NOT NULL'];
  if (source_id !== undefined) where.push('a.id = $source_id');
  if (target_id !== undefined) where.push('b.id = $target_id');
  if (domain !== undefined) where.push('a.domain = $domain');
  const rows = await reader.rows<EdgeRow>(
    `${among === undefined ? 'MATCH (a:Node)-[r]->(b:Node)' : AMONG}
     WHERE ${where.join(' AND ')} WITH r ORDER BY r.id${limit === undefined ? '' : ' LIMIT $limit'} RETURN ${EDGE} AS row`,
    { ...filter, ...(limit === undefined ? {} : { limit: int(limit) }) },
  );
  return rows.map(edgeOf).sort((a, b) => compare(a.id, b.id));
}

/** Typed edges and nodes around a node, hop by hop; see the port. */
export async function neighbourhood(
  reader: Reader,
  { id, depth, limit }: { readonly id: string; readonly depth: number; readonly limit: number },
): Promise<Neighbourhood> {
  const order = [id];
  const known = new Set(order);
  const edges = new Map<string, EdgeRow>();
  let front = [id];
  for (let hop = 1; hop <= depth && front.length > 0; hop += 1) {
    const found = await reader.ask<EdgeRow>(
      `UNWIND $p.ids AS id MATCH (n:Node {id: id})-[r]-(:Node) WHERE r.id IS NOT NULL
       WITH DISTINCT r RETURN ${EDGE} AS row`,
      { ids: front },
    );
    for (const edge of found) edges.set(edge.id, edge);
    const next = new Set(found.flatMap((edge) => [edge.source_id, edge.target_id]).filter((end) => !known.has(end)));
    front = [...next]
      .sort(bySample)
      .slice(0, limit - order.length)
      .sort(compare);
    for (const other of front) {
      known.add(other);
      order.push(other);
    }
  }
  const nodes = await nodesOf(reader, order);
  const inside = [...edges.values()].filter((edge) => known.has(edge.source_id) && known.has(edge.target_id));
  return { nodes, edges: inside.map(edgeOf).sort((a, b) => compare(a.id, b.id)) };
}
