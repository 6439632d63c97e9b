import type { Kysely } from 'kysely';
import { packSentences } from '../../backends/embedding/int8.js';
import type { EmbeddingModel } from '../../backends/embedding/port.js';
import type { GraphBackend } from '../../backends/graph/port.js';
import { addPending } from '../../backends/store/concept-index.js';
import { lockDomain } from '../../backends/store/locks.js';
import type { Database } from '../../backends/store/schema.js';
import type { Store, WriteScope } from '../../backends/store/scope.js';
import { deleteSentences, upsertSentences } from '../../backends/store/sentences.js';
import type { TextIndex } from '../../backends/text/port.js';
import type { VectorBackend } from '../../backends/vector/port.js';
import { forEachInSlices, mapInSlices, slicer } from '../../core/async/slices.js';
import type { GraphNode, JsonObject } from '../../core/model.js';
import { hasVector } from '../../core/vectorless.js';
import type { ConceptIndexes, ServingIndex } from '../index/concept-indexes.js';
import { type Embedded, embedNodes, type Vectors } from '../index/embed.js';
import type { FollowedPorts } from './with-followers.js';

export interface IndexPorts extends FollowedPorts {
  readonly store: Store;
  readonly graph: GraphBackend;
  readonly text: TextIndex;
  readonly vectors: VectorBackend;
  /** Null with `SVC_EMBEDDING=none`: then there are no vectors to keep. */
  readonly embedding: EmbeddingModel | null;
  /** Name of the concept index; it carries model and dimension. */
  readonly indexName: string;
  /** Where index and model may change while the service runs: these count, not the two above. */
  readonly concepts?: ConceptIndexes;
  /**
   * Receives the nodes that no longer exist, as the last step of the transaction that deletes their text and vectors.
   */
  readonly onRemoved?: (db: Kysely<Database>, ids: readonly string[]) => Promise<void>;
}

const BATCH = 500;

/** Returns the index that serves now, and its model. */
export async function servingOf(ports: IndexPorts): Promise<ServingIndex> {
  return ports.concepts === undefined ? ports : ports.concepts.current();
}

/**
 * Makes text index, vectors and sentence vectors agree with the graph as it is now, for these nodes. The effect depends
 * only on the present state of the graph: running it twice, or later, ends in the same indexes.
 */
export async function syncIndexes(ports: IndexPorts, ids: readonly string[], known: Embedded): Promise<void> {
  for (let start = 0; start < ids.length; start += BATCH) {
    const batch = ids.slice(start, start + BATCH);
    while (!(await syncedBatch(ports, batch, known))) {
      // Another write changed these nodes, or another index took over, between embedding and writing: try again.
    }
  }
}

/** Makes one attempt; false where the graph or the index changed meanwhile. */
async function syncedBatch(ports: IndexPorts, ids: readonly string[], known: Embedded): Promise<boolean> {
  const { embedding, indexName } = await servingOf(ports);
  const present = await ports.graph.getNodes(ids);
  const nodes = returnable(present);
  const vectors = await embedNodes(embedding, nodes, known);
  const written = await ports.store.write(async (scope) => {
    if (!(await isStill(ports, { nodes, ids, scope }))) return false;
    const target = await targetIndex(ports, ids, scope);
    if (target.indexName !== indexName) return false;
    await writeText(ports, { nodes, ids, scope });
    if (ports.vectors.joinsStore) await writeVectors(ports, target, { nodes, ids, vectors, scope });
    await writeSentences(target, { nodes, ids, vectors, scope });
    notifyRemoved(ports, { nodes: present, ids, scope });
    return true;
  });
  if (!written) return false;
  if (ports.vectors.joinsStore) return true;
  await writeVectors(ports, { indexName, model: embedding?.name ?? null }, { nodes, ids, vectors });
  return isStill(ports, { nodes, ids });
}

/** Returns whether the nodes read as before; inside a transaction nobody else can change them until it ends. */
export async function isStill(ports: Pick<IndexPorts, 'graph'>, { nodes, ids, scope }: Batch): Promise<boolean> {
  if (scope !== undefined) {
    const domains = new Set(ids.map((id) => id.slice(0, Math.max(0, id.indexOf(':')))));
    for (const domain of [...domains].sort()) await lockDomain(scope.db, domain);
  }
  const now = new Map(returnable(await ports.graph.getNodes(ids, scope)).map((node) => [node.id, node]));
  return nodes.length === now.size && nodes.every((node) => readsAlike(node, now.get(node.id)));
}

function readsAlike(a: GraphNode, b: GraphNode | undefined): boolean {
  return b !== undefined && a.name === b.name && a.description === b.description && a.kind === b.kind;
}

/**
 * Updates what of text index, vectors and sentence vectors lies in the store, inside the caller's transaction and with
 * vectors made before it or beside it; engines outside the store follow. Nodes without such a vector are noted as pending and
 * returned: `embedPending` makes their vectors after the commit.
 */
export async function updateIndexes(
  ports: IndexPorts,
  ids: readonly string[],
  { known, scope }: { readonly known: Embedded | Promise<Embedded>; readonly scope: WriteScope },
): Promise<string[]> {
  const missing: string[] = [];
  const pause = slicer();
  for (let start = 0; start < ids.length; start += BATCH) {
    const batch = ids.slice(start, start + BATCH);
    const present = await ports.graph.getNodes(batch, scope);
    await pause();
    const nodes = returnable(present);
    const target = await targetIndex(ports, batch, scope);
    if (ports.text.joinsStore) await writeText(ports, { nodes, ids: batch, scope });
    const made = await known;
    const vectors: Vectors = new Map();
    await pause();
    if (ports.vectors.joinsStore) {
      const lacking: string[] = [];
      await forEachInSlices(nodes, (node) => {
        const vector = made.model === target.model ? made.get(node) : undefined;
        if (vector !== undefined) vectors.set(node.id, vector);
        else if (target.model !== null && hasVector(node)) lacking.push(node.id);
      });
      await writeVectors(ports, target, { nodes, ids: batch, vectors, scope });
      if (lacking.length > 0) await addPending(scope.db, target.indexName, lacking);
      missing.push(...lacking);
    }
    await pause();
    await writeSentences(target, { nodes, ids: batch, vectors, scope });
    notifyRemoved(ports, { nodes: present, ids: batch, scope });
  }
  return missing;
}

/** An index and the model of its vectors; null: no vectors are written. */
export interface IndexTarget {
  readonly indexName: string;
  readonly model: string | null;
}

async function targetIndex(ports: IndexPorts, ids: readonly string[], scope: WriteScope): Promise<IndexTarget> {
  if (ports.concepts !== undefined) return ports.concepts.recordChanges(scope.db, ids);
  return { indexName: ports.indexName, model: ports.embedding?.name ?? null };
}

/** Returns concepts and passages: a bare entity is a bridge, never an answer. */
export function returnable(nodes: readonly GraphNode[]): GraphNode[] {
  return nodes.filter((node) => node.kind !== 'entity');
}

export interface Batch {
  readonly nodes: readonly GraphNode[];
  readonly ids: readonly string[];
  readonly scope?: WriteScope;
}

function removedIds({ nodes, ids }: Batch): string[] {
  const present = new Set(nodes.map((node) => node.id));
  return ids.filter((id) => !present.has(id));
}

/** Reports nodes that no longer exist, not even as bare names. */
function notifyRemoved(
  { onRemoved: notify }: IndexPorts,
  { scope, ...batch }: Batch & { readonly scope: WriteScope },
): void {
  const removed = removedIds(batch);
  if (removed.length > 0 && notify !== undefined) scope.beforeCommit(() => notify(scope.db, removed));
}

/** Writes the text index's entries of nodes, and deletes those of removed nodes. */
export async function writeText({ text }: Pick<IndexPorts, 'text'>, batch: Batch): Promise<void> {
  const removed = removedIds(batch);
  if (removed.length > 0) await text.delete(removed, batch.scope);
  if (batch.nodes.length === 0) return;
  const docs = batch.nodes.map((n) => ({ id: n.id, domain: n.domain, title: n.name, text: n.description }));
  await text.upsert(docs, batch.scope);
}

/** Writes the vectors of nodes with their marks as metadata, and deletes those of removed nodes. */
export async function writeVectors(
  { vectors }: Pick<IndexPorts, 'vectors'>,
  { indexName, model }: IndexTarget,
  batch: Batch & { readonly vectors: Vectors; readonly marks?: ReadonlyMap<string, JsonObject> },
): Promise<void> {
  if (model === null) return;
  const removed = [...removedIds(batch), ...batch.nodes.flatMap((node) => (hasVector(node) ? [] : [node.id]))];
  if (removed.length > 0) await vectors.delete(indexName, { ids: removed }, batch.scope);
  const entries = batch.nodes.flatMap((node) => {
    const made = batch.vectors.get(node.id);
    return made === undefined
      ? []
      : [{ id: node.id, vector: made.vector, partition: node.domain, ...marked(batch.marks?.get(node.id)) }];
  });
  if (entries.length > 0) await vectors.upsert(indexName, entries, batch.scope);
}

function marked(metadata: JsonObject | undefined): { readonly metadata?: JsonObject } {
  return metadata === undefined ? {} : { metadata };
}

/** Writes the sentence vectors of passages for one model; those of removed nodes are deleted for every model. */
export async function writeSentences(
  { model }: IndexTarget,
  batch: Batch & { readonly vectors: Vectors },
): Promise<void> {
  if (batch.scope === undefined) return;
  const removed = removedIds(batch);
  if (removed.length > 0) await deleteSentences(batch.scope.db, removed);
  if (model === null) return;
  const packed = await mapInSlices(batch.nodes, ({ id, kind }) => {
    const spans = kind === 'passage' ? (batch.vectors.get(id)?.spans ?? []) : [];
    return spans.length === 0 ? undefined : { id, data: packSentences(spans) };
  });
  const rows = packed.filter((row) => row !== undefined);
  if (rows.length > 0) await upsertSentences(batch.scope.db, model, rows);
}
