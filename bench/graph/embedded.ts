import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedBackend } from '../../src/backends/graph/embedded.js';
import { openSqlite } from '../../src/backends/store/engine/sqlite.js';
import type { Network } from './data.js';
import { heapBytes, load, overlap, rankings, type Times } from './measure.js';

export interface Ranking {
  readonly times: Times;
  /** Top-20 overlap with the exact answer, 0..1. */
  readonly overlap: number;
}

export interface EmbeddedFigures {
  readonly edgesPerSecond: number;
  /** MiB that the topology and its walk take, beside the store. */
  readonly memory: number;
  /** By number of seeds: as a query asks, and converged. */
  readonly push: readonly Ranking[];
  readonly exact: ReadonlyArray<{ readonly times: Times; readonly top: string[][] }>;
}

/** The embedded graph in a file of its own: load, topology, PageRank by push and by power iteration. */
export async function embedded(
  net: Network,
  { seeds, exactSets }: { readonly seeds: readonly number[][][]; readonly exactSets: number },
): Promise<EmbeddedFigures> {
  const directory = mkdtempSync(join(tmpdir(), 'bench-graph-'));
  const store = await openSqlite(join(directory, 'store.db'));
  try {
    const writer = new EmbeddedBackend(store);
    await writer.connect();
    const edgesPerSecond = await load(writer, net);
    await writer.disconnect();
    const before = heapBytes();
    const graph = new EmbeddedBackend(store);
    await graph.connect();
    await rankings(graph, (seeds[0] ?? []).slice(0, 1), {});
    const memory = heapBytes() - before;
    const exact: Array<{ times: Times; top: string[][] }> = [];
    const push: Ranking[] = [];
    for (const sets of seeds) {
      const found = await rankings(graph, sets, {});
      const answers = await rankings(graph, sets.slice(0, exactSets), { epsilon: 0 });
      exact.push(answers);
      push.push({ times: found.times, overlap: overlap(found.top, answers.top) });
    }
    return { edgesPerSecond, memory, push, exact };
  } finally {
    await store.close();
    rmSync(directory, { recursive: true, force: true });
  }
}
