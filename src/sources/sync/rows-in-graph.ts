import { rowHashes, type TableAt } from '../../backends/store/sources.js';
import { sourceId as idOfSource } from '../../core/ids.js';
import type { LoadPorts } from '../../ingest/write/load.js';
import { rowSource } from '../inspect/identity.js';
import type { RowPlan } from './row-plan.js';

/** `from`: the run from which on rows count; any without. */
type PlannedTable = TableAt & { readonly plan: RowPlan; readonly from?: number };

/**
 * Returns key → hash of those rows among `keys` that were read before and are in the graph. A row whose concept was
 * forgotten since, with its document, its domain or otherwise, counts as never read.
 */
export async function hashesInGraph(
  ports: LoadPorts,
  at: PlannedTable,
  keys: readonly string[],
): Promise<Map<string, string>> {
  const hashes = await rowHashes(ports.store.db, at, keys);
  const inGraph = await present(ports, at, [...hashes.keys()]);
  return new Map([...hashes].filter(([key]) => inGraph.has(key)));
}

/** Returns the keys whose rows are in the graph, by the source of each row. */
async function present(
  { graph }: LoadPorts,
  { sourceId, table, plan: { domain } }: PlannedTable,
  keys: readonly string[],
): Promise<Set<string>> {
  const idOf = (key: string): string => idOfSource(rowSource(sourceId, { table, key, domain }));
  const keyOf = new Map(keys.map((key) => [idOf(key), key]));
  const inGraph = await graph.existingSources([...keyOf.keys()]);
  return new Set([...inGraph].flatMap((id) => keyOf.get(id) ?? []));
}
