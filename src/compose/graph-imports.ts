import { GraphImports } from '../backends/graph/import.js';
import type { GraphBackend } from '../backends/graph/port.js';
import type { LoadPorts } from '../ingest/load.js';
import { reindex } from '../ingest/reindex.js';
import { replacing } from '../ingest/replace-graph.js';

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
