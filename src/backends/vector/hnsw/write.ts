import { slicer } from '../../../core/async/slices.js';
import type { JsonObject } from '../../../core/model.js';
import type { Db } from '../../store/schema.js';
import { chunks } from '../../store/sql.js';
import { checkedTexts, checkedVector, checkId } from '../check-vector.js';
import { matches } from '../filter.js';
import type { VectorEntry, VectorSelector } from '../port.js';
import type { LoadedIndex } from './loaded-index.js';
import {
  deleteIds,
  deleteRefs,
  insertRows,
  type NewRow,
  refsById,
  rowsById,
  rowsByRef,
  type StoredRow,
  setMetadata,
  vectorsById,
} from './rows.js';
import type { VectorChange } from './vector-change.js';

/** Statements of one write transaction on an index; each returns the changes to apply in memory after the commit. */

const BATCH = 500;
/** Vectors of one read: a cold page each, and the event loop waits for all of them. */
const READ = 100;

export interface CheckedRow extends NewRow {
  readonly values: JsonObject;
}

/** Returns entries as rows, the last one of equal ids; throws `invalid_input` before anything is written. */
export function checkedRows(entries: readonly VectorEntry[], dimension: number): CheckedRow[] {
  const rows = new Map<string, CheckedRow>();
  for (const entry of entries) {
    checkId(entry.id);
    const { vector, norm } = checkedVector(entry.vector, dimension, 'vectors');
    const metadata = checkedTexts(entry);
    rows.set(entry.id, {
      id: entry.id,
      // The caller may use its array again before the commit.
      vector: vector === entry.vector ? Float32Array.from(vector) : vector,
      norm,
      metadata,
      values: entry.metadata ?? {},
      document: entry.document ?? null,
      partition: entry.partition ?? '',
    });
  }
  return [...rows.values()];
}

/** Replaces rows by id. A replaced row gets a new ref: the graph and running searches rely on a ref's vector. */
export async function writeRows(db: Db, indexId: number, rows: readonly CheckedRow[]): Promise<VectorChange[]> {
  const changes: VectorChange[] = [];
  const pause = slicer();
  for (const batch of chunks(rows, BATCH)) {
    const removed = await deleteIds(
      db,
      indexId,
      batch.map((row) => row.id),
    );
    for (const ref of removed) changes.push({ kind: 'remove', ref });
    await pause();
    const refs = await insertRows(db, indexId, batch);
    batch.forEach(({ vector, norm, partition, values }, i) => {
      changes.push({ kind: 'append', ref: refs[i]!, vector, norm, partition, metadata: values });
    });
    await pause();
  }
  return changes;
}

/** Deletes what the selector means inside this transaction. */
export async function removeRows(db: Db, index: LoadedIndex, selector: VectorSelector): Promise<VectorChange[]> {
  const refs: number[] = [];
  if ('ids' in selector) {
    for (const batch of chunks([...new Set(selector.ids)], BATCH))
      refs.push(...(await deleteIds(db, index.row.id, batch)));
  } else {
    for await (const batch of selected(db, index, selector)) {
      await deleteRefs(
        db,
        batch.map((row) => row.ref),
      );
      for (const row of batch) refs.push(row.ref);
    }
  }
  return refs.map((ref) => ({ kind: 'remove', ref }));
}

export async function countSelected(db: Db, index: LoadedIndex, selector: VectorSelector): Promise<number> {
  let count = 0;
  for await (const batch of selected(db, index, selector)) count += batch.length;
  return count;
}

/** Merges metadata into the selected rows and replaces their vectors; also returns how many rows it was. */
export async function changeRows(
  db: Db,
  index: LoadedIndex,
  spec: { selector: VectorSelector; vector: readonly number[] | undefined; metadata: JsonObject | undefined },
): Promise<{ changes: VectorChange[]; count: number }> {
  const changes: VectorChange[] = [];
  let count = 0;
  if (spec.metadata !== undefined) checkedTexts({ metadata: spec.metadata });
  const checked = spec.vector === undefined ? undefined : checkedVector(spec.vector, index.row.dimension, 'vector');
  for await (const batch of selected(db, index, spec.selector)) {
    count += batch.length;
    const merged = batch.map((row) => ({
      ...row,
      values: { ...(JSON.parse(row.metadata) as JsonObject), ...spec.metadata },
    }));
    const rows = merged.map((row) => ({ ...row, metadata: JSON.stringify(row.values) }));
    if (checked === undefined) {
      await setMetadata(db, rows);
      for (const { ref, values } of rows) changes.push({ kind: 'metadata', ref, metadata: values });
    } else {
      const replaced = rows.map((row) => ({ ...row, ...checked }));
      for (const change of await writeRows(db, index.row.id, replaced)) changes.push(change);
    }
  }
  return { changes, count };
}

/** Yields the rows by ids, filter or partition, in batches, as this transaction sees them. */
async function* selected(db: Db, index: LoadedIndex, selector: VectorSelector): AsyncGenerator<StoredRow[]> {
  const pause = slicer();
  if ('ids' in selector) {
    for (const batch of chunks([...new Set(selector.ids)], BATCH)) yield await rowsById(db, index.row.id, batch);
    return;
  }
  const filter = 'filter' in selector ? selector.filter : undefined;
  const partition = 'partition' in selector ? selector.partition : undefined;
  // Memory knows the commits; what it names is read again here, so that this transaction's own view decides.
  for (const batch of chunks(await index.select(filter, partition), BATCH)) {
    const rows = await rowsByRef(db, batch);
    yield rows.filter((row) =>
      filter === undefined ? row.partition === partition : matches(filter, JSON.parse(row.metadata) as JsonObject),
    );
    await pause();
  }
}

/** Returns the ids among the rows' that exist. */
export async function takenIds(db: Db, indexId: number, rows: ReadonlyArray<{ id: string }>): Promise<Set<string>> {
  const taken = new Set<string>();
  for (const batch of chunks(rows, BATCH)) {
    const ids = batch.map((row) => row.id);
    for (const { id } of await refsById(db, indexId, ids)) taken.add(id);
  }
  return taken;
}

/** Returns a stored row as callers know it. */
export function entryOf(row: StoredRow & { readonly vector: Float32Array }): VectorEntry {
  const { id, vector, partition, document } = row;
  const metadata = JSON.parse(row.metadata) as JsonObject;
  return { id, vector, metadata, partition, ...(document === null ? {} : { document }) };
}

/** Returns raw vectors by id; absent ids are left out. */
export async function readVectors(db: Db, indexId: number, ids: readonly string[]): Promise<Map<string, Float32Array>> {
  const found = new Map<string, Float32Array>();
  const pause = slicer();
  for (const batch of chunks(ids, READ)) {
    for (const row of await vectorsById(db, indexId, batch)) found.set(row.id, row.vector);
    await pause();
  }
  return found;
}
