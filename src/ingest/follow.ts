import { packSentences } from '../backends/embedding/int8.js';
import type { EmbeddingModel } from '../backends/embedding/port.js';
import type { GraphBackend } from '../backends/graph/port.js';
import type { Store, WriteScope } from '../backends/store/scope.js';
import { deleteSentences, upsertSentences } from '../backends/store/sentences.js';
import type { TextIndex } from '../backends/text/port.js';
import type { VectorBackend } from '../backends/vector/port.js';
import type { GraphNode } from '../core/model.js';
import { type Embedded, embedNodes, type Vectors } from './embed.js';

export interface FollowPorts {
  readonly store: Store;
  readonly graph: GraphBackend;
  readonly text: TextIndex;
  readonly vectors: VectorBackend;
  /** Null with `SVC_EMBEDDING=none`: then there are no vectors to keep. */
  readonly embedding: EmbeddingModel | null;
  /** Name of the concept index; it carries model and dimension. */
  readonly indexName: string;
}

const BATCH = 500;

/**
 * Makes text index, vectors and sentence vectors agree with the graph as it is now, for these nodes. What it does depends
 * only on the graph's present state, so doing it again, or late, ends the same way.
 */
export async function follow(ports: FollowPorts, ids: readonly string[], known: Embedded): Promise<void> {
  for (let start = 0; start < ids.length; start += BATCH) {
    const batch = ids.slice(start, start + BATCH);
    const nodes = returnable(await ports.graph.getNodes(batch));
    const vectors = await embedNodes(ports.embedding, nodes, known);
    await ports.store.write(async (scope) => {
      await writeText(ports, { nodes, ids: batch, scope });
      if (ports.vectors.joinsStore) await writeVectors(ports, { nodes, ids: batch, vectors, scope });
      await writeSentences(ports, { nodes, ids: batch, vectors, scope });
    });
    if (!ports.vectors.joinsStore) await writeVectors(ports, { nodes, ids: batch, vectors });
  }
}

/**
 * The same inside the caller's transaction, with the vectors made before it. Answers the nodes for which no vector was at
 * hand: these are followed after the commit.
 */
export async function followWithin(
  ports: FollowPorts,
  ids: readonly string[],
  { known, scope }: { readonly known: Embedded; readonly scope: WriteScope },
): Promise<string[]> {
  const missing: string[] = [];
  for (let start = 0; start < ids.length; start += BATCH) {
    const batch = ids.slice(start, start + BATCH);
    const nodes = returnable(await ports.graph.getNodes(batch, scope));
    const vectors: Vectors = new Map();
    for (const node of nodes) {
      const vector = known.get(node);
      if (vector !== undefined) vectors.set(node.id, vector);
      else if (ports.embedding !== null) missing.push(node.id);
    }
    await writeText(ports, { nodes, ids: batch, scope });
    await writeVectors(ports, { nodes, ids: batch, vectors, scope });
    await writeSentences(ports, { nodes, ids: batch, vectors, scope });
  }
  return missing;
}

/** Concepts and passages are indexed; a bare entity is a bridge, never an answer. */
function returnable(nodes: readonly GraphNode[]): GraphNode[] {
  return nodes.filter((node) => node.kind !== 'entity');
}

interface Batch {
  readonly nodes: readonly GraphNode[];
  readonly ids: readonly string[];
  readonly scope?: WriteScope;
}

function gone({ nodes, ids }: Batch): string[] {
  const present = new Set(nodes.map((node) => node.id));
  return ids.filter((id) => !present.has(id));
}

async function writeText({ text }: FollowPorts, batch: Batch): Promise<void> {
  const removed = gone(batch);
  if (removed.length > 0) await text.delete(removed, batch.scope);
  if (batch.nodes.length === 0) return;
  const docs = batch.nodes.map((n) => ({ id: n.id, domain: n.domain, title: n.name, text: n.description }));
  await text.upsert(docs, batch.scope);
}

async function writeVectors(ports: FollowPorts, batch: Batch & { readonly vectors: Vectors }): Promise<void> {
  if (ports.embedding === null) return;
  const removed = gone(batch);
  if (removed.length > 0) await ports.vectors.delete(ports.indexName, { ids: removed }, batch.scope);
  const entries = batch.nodes.flatMap((node) => {
    const made = batch.vectors.get(node.id);
    return made === undefined ? [] : [{ id: node.id, vector: made.vector, partition: node.domain }];
  });
  if (entries.length > 0) await ports.vectors.upsert(ports.indexName, entries, batch.scope);
}

async function writeSentences(ports: FollowPorts, batch: Batch & { readonly vectors: Vectors }): Promise<void> {
  if (ports.embedding === null || batch.scope === undefined) return;
  const removed = gone(batch);
  if (removed.length > 0) await deleteSentences(batch.scope.db, removed);
  const rows = batch.nodes.flatMap((node) => {
    const made = batch.vectors.get(node.id);
    if (made === undefined || node.kind !== 'passage' || made.spans.length === 0) return [];
    return [{ id: node.id, data: packSentences(made.spans) }];
  });
  if (rows.length > 0) await upsertSentences(batch.scope.db, ports.embedding.name, rows);
}
