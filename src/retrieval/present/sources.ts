import type { GraphBackend } from '../../backends/graph/port.js';
import type { DistinctItem } from './distinct.js';

/** Reads the labels of the sources that passages among the items, and their duplicates, belong to: source id → label. */
export async function sourceLabels(graph: GraphBackend, items: readonly DistinctItem[]): Promise<Map<string, string>> {
  const ids = new Set(
    items.flatMap(({ node, duplicates }) => [node, ...duplicates].flatMap((one) => one.passage?.source_id ?? [])),
  );
  const found = await Promise.all([...ids].map((id) => graph.listSources({ source_id: id, limit: 1 })));
  return new Map(found.flat().map(({ source_id, label }) => [source_id, label]));
}
