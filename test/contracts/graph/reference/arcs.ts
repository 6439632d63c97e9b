import { entityWeight, LINK_WEIGHT, mentionWeight } from '../../../../src/backends/graph/weights.js';
import { MAX_ABOUT } from '../../../../src/ledger/key-limits.js';
import { aboutOf, type DomainView, passagesOfKey } from './view.js';

/** Node id → neighbour id → weight; both directions of every arc. */
export type Arcs = Map<string, Map<string, number>>;

/** The undirected weighted graph of one domain that PageRank walks, written out. */
export function arcsOf(view: DomainView, factors: ReadonlyMap<string, number>): Arcs {
  const arcs: Arcs = new Map();
  for (const id of view.nodes.keys()) arcs.set(id, new Map());
  const connect = (a: string, b: string, weight: number): void => {
    if (a === b || weight <= 0) return;
    arcs.get(a)!.set(b, (arcs.get(a)!.get(b) ?? 0) + weight);
    arcs.get(b)!.set(a, (arcs.get(b)!.get(a) ?? 0) + weight);
  };
  for (const key of view.keys.values()) {
    if (key.node === null) continue;
    const about = aboutOf(key);
    const passages = passagesOfKey(view, key);
    const weight = entityWeight(passages.size, view.passages.size);
    for (const passage of passages) {
      connect(key.node, passage, weight * mentionWeight(key.mentions.get(passage) ?? 1, about.has(passage)));
    }
    if (about.size > MAX_ABOUT) continue;
    for (const from of key.mentions.keys()) {
      for (const to of about) connect(from, to, LINK_WEIGHT / about.size);
    }
  }
  for (const edge of view.edges.values()) {
    connect(edge.source_id, edge.target_id, edge.confidence * (factors.get(edge.id) ?? 1));
  }
  return arcs;
}
