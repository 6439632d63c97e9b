import type { NeighbourhoodOptions, Surroundings } from '../../engine.js';
import { ints } from '../follow/rows.js';
import type { Reader } from './reader.js';

interface ReachedEdge {
  readonly ref: number;
  readonly endpoints: ReadonlyArray<readonly [ref: number, hash: number]>;
}

const EXISTS = 'MATCH (n:Node {ref: $p.ref}) RETURN n.ref AS row';
const EDGES_AT = `UNWIND $p.refs AS ref MATCH (n:Node {ref: ref})-[r]-(:Node) WITH DISTINCT r
  RETURN {ref: r.ref, endpoints: [[startNode(r).ref, startNode(r).hash], [endNode(r).ref, endNode(r).hash]]} AS row`;

/** Returns nodes and typed edges around a node, a round trip for each hop; see the port. */
export async function neighbourhood(
  reader: Reader,
  node: number,
  { depth, limit }: NeighbourhoodOptions,
): Promise<Surroundings | null> {
  const hops: number[][] = [[node]];
  const known = new Set([node]);
  const edges = new Map<number, readonly number[]>();
  const exists = reader.ask<number>(EXISTS, { ref: ints([node])[0] });
  for (let hop = 1; hop <= depth; hop += 1) {
    const last = hops.at(-1)!;
    if (last.length === 0) break;
    const found = await reader.ask<ReachedEdge>(EDGES_AT, { refs: ints(last) });
    const next = new Map<number, number>();
    for (const { ref, endpoints } of found) {
      const joined = endpoints.map(([endpoint]) => endpoint);
      edges.set(ref, joined);
      for (const [endpoint, hash] of endpoints) if (!known.has(endpoint)) next.set(endpoint, hash);
    }
    const nearest = [...next].sort((a, b) => a[1] - b[1] || a[0] - b[0]).slice(0, limit - known.size);
    const reached = nearest.map(([ref]) => ref);
    for (const ref of reached) known.add(ref);
    hops.push(reached);
  }
  if ((await exists).length === 0) return null;
  const inside = [...edges].filter(([, endpoints]) => endpoints.every((endpoint) => known.has(endpoint)));
  return { hops: hops.filter((hop) => hop.length > 0), edges: inside.map(([ref]) => ref) };
}
