import type { GraphBackend, NodeSource } from '../../backends/graph/port.js';
import type { DistinctItem } from './distinct.js';

/** Reads where the items and their duplicates come from: node id → source with its label. */
export function sourcesOf(graph: GraphBackend, items: readonly DistinctItem[]): Promise<Map<string, NodeSource>> {
  return graph.nodeSources(items.flatMap(({ node, duplicates }) => [node, ...duplicates].map(({ id }) => id)));
}
