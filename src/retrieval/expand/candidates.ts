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
  const direct = [...evidence.entries()].map(([id, item]) => [id, item.base] as const);
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
    const forward = [...graph.forward].map(([id, path]) => [id, path.strength] as const);
    // An entity that no path leads to is a bare name.
    const reached = [...graph.pagerank].filter(([id]) => !entities.has(id) || graph.forward.has(id));
    const shared = [...graph.shared].map(([id, { value }]) => [id, value] as const);
    add(best(forward, REACHED));
    add(best(reached, REACHED));
    add(best(shared, SHARED));
  }
  for (const chain of [chains.first, chains.second]) {
    add(
      best(
        [...chain].map(([id, { strength }]) => [id, strength] as const),
        REACHED,
      ),
    );
  }
  return [...chosen];
}

function best(items: ReadonlyArray<readonly [string, number]>, count: number): string[] {
  return [...items]
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, count)
    .map(([id]) => id);
}
