import type { LoadOptions } from '../write/load.js';
import { type IndexPorts, servingOf, syncIndexes } from '../write/sync-indexes.js';
import { Embedded } from './embed.js';

export interface ReindexedNodes {
  /** Concepts and passages that were indexed. */
  readonly nodes: number;
  /** Entries of text or vector index whose node does not exist. */
  readonly removed: number;
}

const PAGE = 500;

/**
 * Makes text index and vectors agree with the whole graph as it is now; safe to repeat and to run while writes
 * continue.
 */
export async function reindex(ports: IndexPorts, options: LoadOptions = {}): Promise<ReindexedNodes> {
  const removed = await removeOrphans(ports, options);
  const { concepts, passages } = await ports.graph.statistics();
  let nodes = 0;
  for (let after = ''; ; ) {
    options.signal?.throwIfAborted();
    const page = await ports.graph.findNodes({ limit: PAGE, after });
    const ids = page.filter((node) => node.kind !== 'entity').map((node) => node.id);
    await syncIndexes(ports, ids, new Embedded());
    nodes += ids.length;
    options.progress?.(nodes, Math.max(nodes, concepts + passages), 'indexed');
    if (page.length < PAGE) return { nodes, removed };
    after = page.at(-1)!.id;
  }
}

/** Updates the indexes for these nodes, a batch at a time, and reports progress. */
export async function syncAllIndexes(
  ports: IndexPorts,
  ids: readonly string[],
  options: Pick<LoadOptions, 'progress'> = {},
): Promise<void> {
  for (let start = 0; start < ids.length; start += PAGE) {
    await syncIndexes(ports, ids.slice(start, start + PAGE), new Embedded());
    options.progress?.(Math.min(start + PAGE, ids.length), ids.length, 'indexed');
  }
}

/** Removes entries of text index and vectors whose node does not exist; returns the number of these nodes. */
export async function removeOrphans(ports: IndexPorts, options: Pick<LoadOptions, 'signal'> = {}): Promise<number> {
  const orphans = new Set<string>();
  const compare = async (ids: readonly string[]): Promise<void> => {
    options.signal?.throwIfAborted();
    const nodes = await ports.graph.getNodes(ids);
    const present = new Set(nodes.filter((node) => node.kind !== 'entity').map((node) => node.id));
    for (const id of ids) if (!present.has(id)) orphans.add(id);
  };
  for (let after: string | undefined; ; ) {
    const ids = await ports.text.list({ limit: PAGE, ...(after === undefined ? {} : { after }) });
    await compare(ids);
    if (ids.length < PAGE) break;
    after = ids.at(-1)!;
  }
  const { embedding, indexName } = await servingOf(ports);
  if (embedding !== null) {
    for (let after: string | undefined; ; ) {
      const page = await ports.vectors.scan(indexName, {
        limit: PAGE,
        ...(after === undefined ? {} : { after }),
      });
      await compare(page.map((entry) => entry.id));
      if (page.length < PAGE) break;
      after = page.at(-1)!.id;
    }
  }
  await syncAllIndexes(ports, [...orphans]);
  return orphans.size;
}
