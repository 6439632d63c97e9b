import type { Db } from './schema.js';
import { anyOf, chunks, isPostgres } from './sql.js';

/** An embedding model as it is remembered: enough to open it again, never a key. */
export interface ModelRecord {
  readonly name: string;
  readonly dimension: number;
  readonly kind: string;
  readonly url: string | null;
  readonly model: string | null;
}

/** An index that is being filled, and how far it is. */
export interface BuildingIndex {
  readonly index: string;
  readonly model: ModelRecord;
  /** Nodes up to this id are embedded; null at the start. */
  readonly after: string | null;
  /** True once every node was seen; what remains is what was written meanwhile. */
  readonly scanned: boolean;
  readonly embedded: number;
}

export interface ConceptIndexState {
  /** Grows with every index that is begun; part of its name. */
  readonly generation: number;
  /** What queries use; no model where the service ran without one from the start. */
  readonly serving: { readonly index: string; readonly model: ModelRecord | null };
  readonly building: BuildingIndex | null;
  /** Indexes that served before: kept for a moment, for requests that still use them. `at` in milliseconds. */
  readonly retired: ReadonlyArray<{ readonly index: string; readonly at: number }>;
}

const ID = 1;

/**
 * Returns the state, or undefined in a new store. `share` and `update` lock it until the transaction ends, against
 * callers that change it or write beside a change; SQLite has one writer and needs neither.
 */
export async function readConceptIndex(db: Db, lock?: 'share' | 'update'): Promise<ConceptIndexState | undefined> {
  let query = db.selectFrom('concept_index').select('state').where('id', '=', ID);
  if (lock !== undefined && isPostgres(db)) query = lock === 'share' ? query.forShare() : query.forUpdate();
  const row = await query.executeTakeFirst();
  return row === undefined ? undefined : (JSON.parse(row.state) as ConceptIndexState);
}

/** Keeps the first state of a new store; another process may have been first. */
export async function addConceptIndex(db: Db, state: ConceptIndexState): Promise<void> {
  await db
    .insertInto('concept_index')
    .values({ id: ID, state: JSON.stringify(state) })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
}

export async function writeConceptIndex(db: Db, state: ConceptIndexState): Promise<void> {
  await db
    .updateTable('concept_index')
    .set({ state: JSON.stringify(state) })
    .where('id', '=', ID)
    .execute();
}

/** Notes nodes whose vectors in this index are behind the graph. */
export async function addPending(db: Db, index: string, ids: readonly string[]): Promise<void> {
  for (const part of chunks([...ids].sort(), 500)) {
    await db
      .insertInto('vector_pending')
      .values(part.map((node_id) => ({ index_name: index, node_id })))
      .execute();
  }
}

export interface PendingNodes {
  readonly seqs: readonly number[];
  readonly ids: readonly string[];
}

/** Returns the oldest notes of an index after a number; ids once each. */
export function readPending(db: Db, index: string, { after = 0, limit }: { after?: number; limit: number }) {
  const rows = db
    .selectFrom('vector_pending')
    .select(['seq', 'node_id'])
    .where('index_name', '=', index)
    .where('seq', '>', after)
    .orderBy('seq')
    .limit(limit);
  return rows.execute().then(pendingOf);
}

/** Returns the notes of an index about these nodes. */
export async function readPendingNodes(db: Db, index: string, ids: readonly string[]): Promise<PendingNodes> {
  const rows = await db
    .selectFrom('vector_pending')
    .select(['seq', 'node_id'])
    .where('index_name', '=', index)
    .where(anyOf(db, 'node_id', ids))
    .execute();
  return pendingOf(rows);
}

/** Returns how many nodes are noted for an index. */
export async function countPending(db: Db, index: string): Promise<number> {
  const row = await db
    .selectFrom('vector_pending')
    .select((eb) => eb.fn.count('node_id').distinct().as('nodes'))
    .where('index_name', '=', index)
    .executeTakeFirst();
  return Number(row?.nodes ?? 0);
}

function pendingOf(rows: ReadonlyArray<{ readonly seq: number; readonly node_id: string }>): PendingNodes {
  return { seqs: rows.map((row) => row.seq), ids: [...new Set(rows.map((row) => row.node_id))] };
}

/** Removes exactly these notes: one that came for the same node meanwhile stays. */
export async function deletePending(db: Db, seqs: readonly number[]): Promise<void> {
  if (seqs.length === 0) return;
  await db
    .deleteFrom('vector_pending')
    .where(anyOf(db, 'seq', seqs))
    .execute();
}

/** Forgets all notes of an index. */
export async function clearPending(db: Db, index: string): Promise<void> {
  await db.deleteFrom('vector_pending').where('index_name', '=', index).execute();
}
