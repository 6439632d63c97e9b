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
  const pages = [pagesOf((after) => ports.text.list({ limit: PAGE, ...after }))];
  const { embedding, indexName } = await servingOf(ports);
  if (embedding !== null) pages.push(vectorPages(ports, indexName));
  const orphans = new Set<string>();
  for (const each of pages) for (const id of await orphansOf(ports, each, options)) orphans.add(id);
  await syncAllIndexes(ports, [...orphans]);
  return orphans.size;
}

/** Returns the ids of the entries of a vector index whose node does not exist. */
export function orphanVectors(ports: Pick<IndexPorts, 'graph' | 'vectors'>, indexName: string): Promise<string[]> {
  return orphansOf(ports, vectorPages(ports, indexName));
}

/** Removes entries of a vector index whose node does not exist; returns their number. */
export async function removeOrphanVectors(ports: IndexPorts, indexName: string): Promise<number> {
  const ids = await orphanVectors(ports, indexName);
  for (let start = 0; start < ids.length; start += PAGE) {
    await ports.vectors.delete(indexName, { ids: ids.slice(start, start + PAGE) });
  }
  return ids.length;
}

function vectorPages({ vectors }: Pick<IndexPorts, 'vectors'>, indexName: string): AsyncGenerator<readonly string[]> {
  return pagesOf(async (after) => {
    const page = await vectors.scan(indexName, { limit: PAGE, ...after });
    return page.map((entry) => entry.id);
  });
}

async function* pagesOf(read: (after: { readonly after?: string }) => Promise<readonly string[]>) {
  for (let after: string | undefined; ; ) {
    const ids = await read(after === undefined ? {} : { after });
    yield ids;
    if (ids.length < PAGE) return;
    after = ids.at(-1)!;
  }
}

/** Returns the ids of these pages that no concept or passage has. */
async function orphansOf(
  { graph }: Pick<IndexPorts, 'graph'>,
  pages: AsyncGenerator<readonly string[]>,
  { signal }: Pick<LoadOptions, 'signal'> = {},
): Promise<string[]> {
  const orphans: string[] = [];
  for await (const ids of pages) {
    signal?.throwIfAborted();
    const nodes = await graph.getNodes(ids);
    const present = new Set(nodes.filter((node) => node.kind !== 'entity').map((node) => node.id));
    orphans.push(...ids.filter((id) => !present.has(id)));
  }
  return orphans;
}
