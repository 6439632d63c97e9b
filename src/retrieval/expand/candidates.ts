import type { Chains } from '../chains/chain-types.js';
import type { GraphEvidence } from '../score/features.js';
import type { Evidence } from './evidence.js';

/** Best by direct evidence, by PageRank, by link path and by chain that are scored in full. */
const DIRECT = 40;
const REACHED = 30;
/** Best by a shared rare name, and by a rare unit of the question. */
const SHARED = 15;

/** Returns the best items by direct evidence, at least `topK`, and those that hold a rare unit of the question. */
export function directCandidates(evidence: Evidence, rare: ReadonlyMap<string, number>, topK: number): string[] {
  const direct = Array.from(evidence.entries(), ([id, item]): Valued => [id, item.base]);
  return [...new Set([...best(direct, Math.max(DIRECT, 2 * topK)), ...best([...rare], SHARED)])];
}

/**
 * Chooses the items that are scored in full: those with direct evidence, and the best by each kind of evidence that the
 * graph has. Bare entities among them fall out later. Ids in no order.
 */
export function candidates(
  direct: readonly string[],
  { graph, chains }: { readonly graph: GraphEvidence | null; readonly chains: Chains },
): string[] {
  const chosen = new Set(direct);
  const add = (ids: readonly string[]): void => {
    for (const id of ids) chosen.add(id);
  };
  if (graph !== null) {
    const entities = new Set(graph.expanded.expansion.entities.map((ref) => ref.entity));
    const forward = Array.from(graph.forward, ([id, path]): Valued => [id, path.strength]);
    // An entity that no path leads to is a bare name.
    const reached = [...graph.pagerank].filter(([id]) => !entities.has(id) || graph.forward.has(id));
    const shared = Array.from(graph.shared, ([id, { value }]): Valued => [id, value]);
    add(best(forward, REACHED));
    add(best(reached, REACHED));
    add(best(shared, SHARED));
  }
  for (const chain of [chains.first, chains.second]) {
    const ends = Array.from(chain, ([id, { strength }]): Valued => [id, strength]);
    add(best(ends, REACHED));
  }
  return [...chosen];
}

/** An item and what it is chosen by. */
type Valued = readonly [id: string, value: number];

/** Puts the list in order. */
function best(items: Valued[], count: number): string[] {
  return items
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, count)
    .map(([id]) => id);
}
