import { GraphImports } from '../backends/graph/import.js';
import type { GraphBackend } from '../backends/graph/port.js';
import { reindex } from '../ingest/index/reindex.js';
import type { LoadPorts } from '../ingest/write/load.js';
import { replacing } from '../ingest/write/replace-graph.js';

/** Imports between the graph that serves and others; text index and vectors follow where it is replaced. */
export function graphImports(ports: LoadPorts, openGraph: (kind: string) => Promise<GraphBackend>): GraphImports {
  return new GraphImports({
    store: ports.store,
    current: ports.graph,
    open: async (kind) => {
      const other = await openGraph(kind);
      await other.connect();
      return other;
    },
    exclusive: (work) => replacing(ports, work),
    follow: (progress) => reindex(ports, { progress }),
  });
}
