import type { EmbeddingModel } from '../../backends/embedding/port.js';
import { deletePending, readPending, readPendingNodes } from '../../backends/store/concept-index.js';
import { stopIfAborted } from '../../core/async/abort.js';
import { isUnavailable } from '../../core/errors.js';
import type { GraphNode } from '../../core/model.js';
import {
  type IndexPorts,
  isStill,
  returnable,
  servingOf,
  writeSentences,
  writeText,
  writeVectors,
} from '../write/sync-indexes.js';
import { Embedded, embedNodes } from './embed.js';

const PAGE = 256;
const STOPPED = 'The reindex was stopped; start it again and it resumes from here. The index before it still serves.';

interface EmbeddedIndex {
  readonly index: string;
  readonly embedding: EmbeddingModel;
}

/**
 * Embeds the nodes that are noted for an index until none is left; returns how many they were. A node whose text the
 * model refuses stays noted and holds up no other; once all others are done, the refusal is thrown.
 */
export async function embedPending(
  ports: IndexPorts,
  target: EmbeddedIndex,
  options: {
    readonly signal?: AbortSignal | undefined;
    readonly progress?: ((done: number, total: undefined, message: string) => void) | undefined;
  } = {},
): Promise<number> {
  const { store, graph } = ports;
  const refused: unknown[] = [];
  let done = 0;
  for (let after = 0; ; ) {
    const { seqs, ids } = await readPending(store.db, target.index, { after, limit: PAGE });
    if (ids.length === 0) break;
    stopIfAborted(options.signal, STOPPED);
    try {
      await writeNodes(ports, { ...target, ids, nodes: returnable(await graph.getNodes(ids)) });
      await store.write(({ db }) => deletePending(db, seqs));
      done += ids.length;
    } catch (error) {
      if (isUnavailable(error)) throw error;
      const outcome = await oneByOne(ports, target, ids);
      done += outcome.done;
      refused.push(...outcome.refused);
    }
    after = seqs.at(-1)!;
    options.progress?.(done, undefined, 'following writes');
  }
  if (refused.length > 0) throw refused[0];
  return done;
}

/** Embeds nodes that a write of this process has just noted for the serving index. */
export async function embedNoted(ports: IndexPorts, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const { embedding, indexName: index } = await servingOf(ports);
  if (embedding === null) return;
  for (let start = 0; start < ids.length; start += PAGE) {
    const part = ids.slice(start, start + PAGE);
    const { seqs } = await readPendingNodes(ports.store.db, index, part);
    await writeNodes(ports, { index, embedding, ids: part, nodes: returnable(await ports.graph.getNodes(part)) });
    await ports.store.write(({ db }) => deletePending(db, seqs));
  }
}

async function oneByOne(ports: IndexPorts, target: EmbeddedIndex, ids: readonly string[]) {
  const refused: unknown[] = [];
  for (const id of ids) {
    try {
      const { seqs } = await readPendingNodes(ports.store.db, target.index, [id]);
      await writeNodes(ports, { ...target, ids: [id], nodes: returnable(await ports.graph.getNodes([id])) });
      await ports.store.write(({ db }) => deletePending(db, seqs));
    } catch (error) {
      if (isUnavailable(error)) throw error;
      refused.push(error);
    }
  }
  return { done: ids.length - refused.length, refused };
}

/** Writes the vectors of nodes; repeats that where the nodes changed meanwhile. */
export async function writeNodes(
  ports: IndexPorts,
  spec: EmbeddedIndex & { readonly nodes: readonly GraphNode[]; readonly ids: readonly string[] },
): Promise<void> {
  const { index, embedding, ids } = spec;
  const { store, graph, vectors } = ports;
  if (ids.length === 0) return;
  const target = { indexName: index, model: embedding.name };
  for (let nodes = spec.nodes; ; nodes = returnable(await graph.getNodes(ids))) {
    const made = await embedNodes(embedding, nodes, new Embedded());
    if (!vectors.joinsStore) await writeVectors(ports, target, { nodes, ids, vectors: made });
    const written = await store.write(async (scope) => {
      if (!(await isStill({ graph }, { nodes, ids, scope }))) return false;
      if (vectors.joinsStore) await writeVectors(ports, target, { nodes, ids, vectors: made, scope });
      if (ports.text.joinsStore) await writeText(ports, { nodes, ids, scope });
      await writeSentences(target, { nodes, ids, vectors: made, scope });
      return true;
    });
    if (written) return;
  }
}
