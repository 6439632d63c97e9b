import type { Kysely } from 'kysely';
import { packSentences } from '../../backends/embedding/int8.js';
import type { EmbeddingModel } from '../../backends/embedding/port.js';
import type { GraphBackend } from '../../backends/graph/port.js';
import { lockDomain } from '../../backends/store/locks.js';
import type { Database } from '../../backends/store/schema.js';
import type { Store, WriteScope } from '../../backends/store/scope.js';
import { deleteSentences, upsertSentences } from '../../backends/store/sentences.js';
import type { TextIndex } from '../../backends/text/port.js';
import type { VectorBackend } from '../../backends/vector/port.js';
import type { GraphNode } from '../../core/model.js';
import type { ConceptIndexes, Serving } from '../index/concept-indexes.js';
import { type Embedded, embedNodes, type Vectors } from '../index/embed.js';
import type { FollowedPorts } from './with-followers.js';

export interface FollowPorts extends FollowedPorts {
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
  /** Nodes that no longer exist; called as the last of the transaction that takes their text and vectors along. */
  readonly onGone?: (db: Kysely<Database>, ids: readonly string[]) => Promise<void>;
}

const BATCH = 500;

/** The index that serves now, and its model. */
export async function servingOf(ports: FollowPorts): Promise<Serving> {
  return ports.concepts === undefined ? ports : ports.concepts.current();
}

/**
 * Makes text index, vectors and sentence vectors agree with the graph as it is now, for these nodes. What it does depends
 * only on the graph's present state, so doing it again, or late, ends the same way.
 */
export async function follow(ports: FollowPorts, ids: readonly string[], known: Embedded): Promise<void> {
  for (let start = 0; start < ids.length; start += BATCH) {
    const batch = ids.slice(start, start + BATCH);
    while (!(await followed(ports, batch, known))) {
      // Somebody wrote these nodes, or another index took over, between embedding and writing: once more.
    }
  }
}

/** One attempt; false where the graph or the index went on meanwhile. */
async function followed(ports: FollowPorts, ids: readonly string[], known: Embedded): Promise<boolean> {
  const { embedding, indexName } = await servingOf(ports);
  const present = await ports.graph.getNodes(ids);
  const nodes = returnable(present);
  const vectors = await embedNodes(embedding, nodes, known);
  const written = await ports.store.write(async (scope) => {
    if (ports.graph.joinsStore && !(await isStill(ports, { nodes, ids, scope }))) return false;
    const target = await enter(ports, ids, scope);
    if (target.indexName !== indexName) return false;
    await writeText(ports, { nodes, ids, scope });
    if (ports.vectors.joinsStore) await writeVectors(ports, target, { nodes, ids, vectors, scope });
    await writeSentences(target, { nodes, ids, vectors, scope });
    tellGone(ports, { nodes: present, ids, scope });
    return true;
  });
  if (!written) return false;
  if (ports.vectors.joinsStore && ports.graph.joinsStore) return true;
  if (!ports.vectors.joinsStore) {
    await writeVectors(ports, { indexName, model: embedding?.name ?? null }, { nodes, ids, vectors });
  }
  return isStill(ports, { nodes, ids });
}

/** Whether the nodes read as before; inside a transaction nobody else can change them until it ends. */
export async function isStill(ports: Pick<FollowPorts, 'graph'>, { nodes, ids, scope }: Batch): Promise<boolean> {
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
    const present = await ports.graph.getNodes(batch, scope);
    const nodes = returnable(present);
    const target = await enter(ports, batch, scope);
    const vectors: Vectors = new Map();
    for (const node of nodes) {
      const vector = known.model === target.model ? known.get(node) : undefined;
      if (vector !== undefined) vectors.set(node.id, vector);
      else if (target.model !== null) missing.push(node.id);
    }
    await writeText(ports, { nodes, ids: batch, scope });
    await writeVectors(ports, target, { nodes, ids: batch, vectors, scope });
    await writeSentences(target, { nodes, ids: batch, vectors, scope });
    tellGone(ports, { nodes: present, ids: batch, scope });
  }
  return missing;
}

/** An index and the model of its vectors; null: no vectors are written. */
export interface Target {
  readonly indexName: string;
  readonly model: string | null;
}

async function enter(ports: FollowPorts, ids: readonly string[], scope: WriteScope): Promise<Target> {
  if (ports.concepts !== undefined) return ports.concepts.recordChanges(scope.db, ids);
  return { indexName: ports.indexName, model: ports.embedding?.name ?? null };
}

/** Concepts and passages are indexed; a bare entity is a bridge, never an answer. */
export function returnable(nodes: readonly GraphNode[]): GraphNode[] {
  return nodes.filter((node) => node.kind !== 'entity');
}

export interface Batch {
  readonly nodes: readonly GraphNode[];
  readonly ids: readonly string[];
  readonly scope?: WriteScope;
}

function gone({ nodes, ids }: Batch): string[] {
  const present = new Set(nodes.map((node) => node.id));
  return ids.filter((id) => !present.has(id));
}

/** Of nodes that are gone, even as bare names. */
function tellGone({ onGone }: FollowPorts, { scope, ...batch }: Batch & { readonly scope: WriteScope }): void {
  const removed = gone(batch);
  if (removed.length > 0 && onGone !== undefined) scope.beforeCommit(() => onGone(scope.db, removed));
}

/** The text index's entries of nodes, and none of nodes that are gone. */
export async function writeText({ text }: Pick<FollowPorts, 'text'>, batch: Batch): Promise<void> {
  const removed = gone(batch);
  if (removed.length > 0) await text.delete(removed, batch.scope);
  if (batch.nodes.length === 0) return;
  const docs = batch.nodes.map((n) => ({ id: n.id, domain: n.domain, title: n.name, text: n.description }));
  await text.upsert(docs, batch.scope);
}

/** Vectors of nodes, and none of nodes that are gone. */
export async function writeVectors(
  { vectors }: Pick<FollowPorts, 'vectors'>,
  { indexName, model }: Target,
  batch: Batch & { readonly vectors: Vectors },
): Promise<void> {
  if (model === null) return;
  const removed = gone(batch);
  if (removed.length > 0) await vectors.delete(indexName, { ids: removed }, batch.scope);
  const entries = batch.nodes.flatMap((node) => {
    const made = batch.vectors.get(node.id);
    return made === undefined ? [] : [{ id: node.id, vector: made.vector, partition: node.domain }];
  });
  if (entries.length > 0) await vectors.upsert(indexName, entries, batch.scope);
}

/** Sentence vectors of passages, for one model; those of nodes that are gone go for every model. */
export async function writeSentences({ model }: Target, batch: Batch & { readonly vectors: Vectors }): Promise<void> {
  if (batch.scope === undefined) return;
  const removed = gone(batch);
  if (removed.length > 0) await deleteSentences(batch.scope.db, removed);
  if (model === null) return;
  const rows = batch.nodes.flatMap((node) => {
    const made = batch.vectors.get(node.id);
    if (made === undefined || node.kind !== 'passage' || made.spans.length === 0) return [];
    return [{ id: node.id, data: packSentences(made.spans) }];
  });
  if (rows.length > 0) await upsertSentences(batch.scope.db, model, rows);
}
