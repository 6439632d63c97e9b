import type { GraphEvidence } from '../score/features.js';
import type { GraphWeights } from '../score/ranker.js';
import type { Evidence } from './evidence.js';

/** Best by direct evidence, and best by what the graph adds, that are scored in full. */
const WIDTH = 40;

/**
 * Third verb: the best items by direct evidence, at least `topK`, and those to which the graph adds most, whatever else is
 * known of them. Bare entities among them fall out later. Ids in no order.
 */
export function candidates(
  evidence: Evidence,
  found: GraphEvidence | null,
  { topK, weights }: { readonly topK: number; readonly weights: GraphWeights },
): string[] {
  const chosen = new Set(
    best(
      [...evidence.entries()].map(([id, item]) => [id, item.base]),
      Math.max(WIDTH, 2 * topK),
    ),
  );
  if (found !== null) for (const id of best([...added(found, weights)], WIDTH)) chosen.add(id);
  return [...chosen];
}

/** What the graph adds to each node that it reaches, bare names on the way left out where they are known. */
function added(found: GraphEvidence, weights: GraphWeights): Map<string, number> {
  const sums = new Map<string, number>();
  const add = (id: string, amount: number): void => {
    if (amount > 0) sums.set(id, (sums.get(id) ?? 0) + amount);
  };
  for (const [id, path] of found.forward) add(id, weights.forward * Math.max(0, 1 + path.strength));
  for (const [id, shared] of found.shared) add(id, weights.shared * shared.value);
  const entities = new Set(found.expanded.expansion.entities.map((ref) => ref.entity));
  for (const [id, score] of found.pagerank) {
    // An entity that no path leads to is a bare name.
    if (sums.has(id) || !entities.has(id)) add(id, weights.pagerank * score);
  }
  return sums;
}

function best(items: ReadonlyArray<readonly [string, number]>, count: number): string[] {
  return [...items]
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, count)
    .map(([id]) => id);
}
