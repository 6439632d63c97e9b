import { type EdgeName, edgeName } from '../../../../ledger/change.js';
import type { SyncStep } from '../../../../ledger/follower.js';
import { int, type Neo4jConnection } from '../../../neo4j-connection.js';
import { slicesOf } from './slices.js';
import { writeSliced } from './write-sliced.js';

/** Nodes whose edges are read at once. */
const PAGE = 2000;
const SLICE = 5000;

interface EngineEdge extends EdgeName {
  readonly element: string;
  readonly [member: string]: unknown;
}

const EDGES_OF_PAGE = `MATCH (a:Node) WHERE a.ref > $after WITH a ORDER BY a.ref LIMIT $page
  WITH collect(a) AS nodes
  CALL (nodes) {
    UNWIND nodes AS a MATCH (a)-[r]->(b:Node)
    RETURN collect({src: a.ref, relation: type(r), dst: b.ref, element: elementId(r)}) AS edges
  }
  RETURN size(nodes) AS nodes, nodes[-1].ref AS last, edges`;

const DELETE = 'UNWIND $elements AS element MATCH ()-[r]->() WHERE elementId(r) = element DELETE r';

/** Returns the number of typed edges in the engine, from the server's own counts: nothing is read. */
export async function countEdges(connection: Neo4jConnection): Promise<number> {
  const [row] = await connection.read<{ edges: number }>(
    `CALL () { MATCH (:Node)-[r]->() RETURN count(r) AS outgoing }
     CALL () { MATCH ()-[r]->(:Key) RETURN count(r) AS keys }
     CALL () { MATCH ()-[r]->(:Domain) RETURN count(r) AS domains }
     RETURN outgoing - keys - domains AS edges`,
  );
  return row?.edges ?? 0;
}

/** Removes relationships between nodes that are no edges of the ledger; null where the cursor moved meanwhile. */
export async function sweepEdges(connection: Neo4jConnection, { from, records }: SyncStep): Promise<number | null> {
  let removed = 0;
  for (let after = -1; ; ) {
    const [page] = await connection.read<{ nodes: number; last: number | null; edges: EngineEdge[] }>(EDGES_OF_PAGE, {
      after: int(after),
      page: int(PAGE),
    });
    if (page === undefined || page.last === null) return removed;
    const wanted = new Set((await records.edges(page.edges)).map(edgeName));
    const surplus = page.edges.filter((edge) => !wanted.delete(edgeName(edge)));
    const slices = slicesOf(surplus, SLICE, async (some) => ({
      write: (tx) => tx.send(DELETE, { elements: some.map(({ element }) => element) }),
    }));
    if (surplus.length > 0 && !(await writeSliced(connection, { from, to: from, slices }))) return null;
    removed += surplus.length;
    after = page.last;
    if (page.nodes < PAGE) return removed;
  }
}
