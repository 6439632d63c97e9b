import { smallest } from '../../../core/select.js';
import type { NeighbourhoodOptions, Surroundings } from '../engine.js';
import type { Topology } from './topology.js';

/** Returns nodes and typed edges around a node, by breadth; null where it is absent. */
export function surroundings(
  topology: Topology,
  node: number,
  { depth, limit }: NeighbourhoodOptions,
): Surroundings | null {
  const start = topology.nodes.find(node);
  if (start < 0) return null;
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
    for (let at = edges.start(slot); at < edges.end(slot); at += 1) {
      if (distance.has(edges.targets[at]!)) refs.add(edges.refs[at]!);
    }
  }
  return { hops: hops.map((slots) => slots.map((slot) => topology.nodes.refs[slot]!)), edges: [...refs] };
}
