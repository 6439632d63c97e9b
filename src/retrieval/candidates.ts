import type { Evidence } from './evidence.js';
import type { GraphEvidence } from './features.js';

/** Best of each kind of evidence that are scored in full. */
const WIDTH = 40;
/** PageRank's best hold bare entities, which fall out later. */
const PAGERANK_WIDTH = 80;

/** Third verb: the best items by each kind of evidence, at least `topK` by direct evidence. Ids in no order. */
export function candidates(evidence: Evidence, found: GraphEvidence | null, topK: number): string[] {
  const direct = best(evidence.entries(), (item) => item.base, Math.max(WIDTH, 2 * topK));
  if (found === null) return direct;
  return [
    ...new Set([
      ...direct,
      ...best(found.pagerank, (score) => score, PAGERANK_WIDTH),
      ...best(found.forward, (path) => path.strength, WIDTH),
      ...best(found.shared, (shared) => shared.value, WIDTH),
    ]),
  ];
}

function best<T>(items: Iterable<readonly [string, T]>, value: (item: T) => number, count: number): string[] {
  return [...items]
    .map(([id, item]) => ({ id, value: value(item) }))
    .sort((a, b) => b.value - a.value || (a.id < b.id ? -1 : 1))
    .slice(0, count)
    .map((item) => item.id);
}
