import { sql } from 'kysely';
import type { RefId } from '../../../core/ref-ids.js';
import type { Db } from '../../store/schema.js';
import type { Metric } from '../port.js';

/** Rows of the hnsw engine, in SQLite (JSON lists travel as one parameter, vectors as one blob per batch). */

export interface IndexRow {
  readonly id: number;
  readonly name: string;
  readonly dimension: number;
  readonly metric: Metric;
  readonly version: number;
}

export interface NewRow {
  readonly id: string;
  readonly partition: string;
  /** JSON. */
  readonly metadata: string;
  readonly document: string | null;
  readonly norm: number;
  readonly vector: Float32Array;
}

export interface StoredRow {
  readonly ref: number;
  readonly id: string;
  readonly partition: string;
  readonly metadata: string;
  readonly document: string | null;
}

const BATCH = 500;

export async function listIndexRows(db: Db): Promise<IndexRow[]> {
  return db.selectFrom('vector_index').selectAll().orderBy('name').execute();
}

/** Inserts the index unless the name is taken; returns the row and whether it is new. */
export async function insertIndex(
  db: Db,
  index: { name: string; dimension: number; metric: Metric },
): Promise<{ row: IndexRow; created: boolean }> {
  const created = await db
    .insertInto('vector_index')
    .values({ ...index, version: 0 })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .returningAll()
    .executeTakeFirst();
  if (created !== undefined) return { row: created, created: true };
  const row = await db.selectFrom('vector_index').selectAll().where('name', '=', index.name).executeTakeFirstOrThrow();
  return { row, created: false };
}

/** Counts a write to the index and returns its row as the transaction sees it; undefined if there is none. */
export async function touchIndex(db: Db, name: string): Promise<IndexRow | undefined> {
  const found = await sql<IndexRow>`
    update vector_index set version = version + 1 where name = ${name}
    returning id, name, dimension, metric, version`.execute(db);
  return found.rows[0];
}

export async function dropIndex(db: Db, name: string): Promise<IndexRow | undefined> {
  return db.deleteFrom('vector_index').where('name', '=', name).returningAll().executeTakeFirst();
}

/** Removes up to `limit` rows of a deleted index; returns how many. */
export async function deleteSomeRows(db: Db, indexId: number, limit: number): Promise<number> {
  const deleted = await sql`
    delete from vector_row where ref in (select ref from vector_row where index_id = ${indexId} limit ${limit})`.execute(
    db,
  );
  return Number(deleted.numAffectedRows ?? 0);
}

/** Returns the ids of indexes that still have rows although they were deleted. */
export async function orphanedIndexes(db: Db): Promise<number[]> {
  const found = await sql<{ index_id: number }>`
    with recursive used(index_id) as (
      select min(index_id) from vector_row
      union all
      select (select min(index_id) from vector_row where vector_row.index_id > used.index_id) from used
      where used.index_id is not null
    )
    select index_id from used where index_id is not null and index_id not in (select id from vector_index)`.execute(db);
  return found.rows.map((row) => row.index_id);
}

export async function countRows(db: Db, indexId: number): Promise<number> {
  const found = await sql<{ count: number }>`
    select count(*) as count from vector_row where index_id = ${indexId}`.execute(db);
  return found.rows[0]!.count;
}

/** Inserts rows whose ids are free; answers their refs in the order of `rows`. */
export async function insertRows(db: Db, indexId: number, rows: readonly NewRow[]): Promise<number[]> {
  const refs: number[] = [];
  const width = (rows[0]?.vector.length ?? 0) * 4;
  for (let start = 0; start < rows.length; start += BATCH) {
    const batch = rows.slice(start, start + BATCH);
    const blob = Buffer.allocUnsafe(batch.length * width);
    batch.forEach(({ vector }, i) => {
      blob.set(new Uint8Array(vector.buffer, vector.byteOffset, width), i * width);
    });
    const list = batch.map((row) => [row.id, row.partition, row.metadata, row.document, row.norm]);
    const inserted = await sql<{ ref: number; id: string }>`
      insert into vector_row (index_id, id, partition, metadata, document, norm, vector)
      select ${indexId}, value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4,
        substr(${blob}, 1 + key * ${width}, ${width})
      from json_each(${JSON.stringify(list)}) order by key
      returning ref, id`.execute(db);
    const byId = new Map(inserted.rows.map((row) => [row.id, row.ref]));
    for (const row of batch) refs.push(byId.get(row.id)!);
  }
  return refs;
}

/** Deletes by id; returns the refs of the deleted rows. */
export async function deleteIds(db: Db, indexId: number, ids: readonly string[]): Promise<number[]> {
  const deleted = await sql<{ ref: number }>`
    delete from vector_row
    where index_id = ${indexId} and id in (select value from json_each(${JSON.stringify(ids)}))
    returning ref`.execute(db);
  return deleted.rows.map((row) => row.ref);
}

export async function deleteRefs(db: Db, refs: readonly number[]): Promise<void> {
  await sql`delete from vector_row where ref in (select value from json_each(${JSON.stringify(refs)}))`.execute(db);
}

export async function setMetadata(db: Db, rows: ReadonlyArray<{ ref: number; metadata: string }>): Promise<void> {
  const list = JSON.stringify(rows.map((row) => [row.ref, row.metadata]));
  await sql`
    update vector_row set metadata = change.value ->> 1
    from json_each(${list}) as change where vector_row.ref = change.value ->> 0`.execute(db);
}

/** Returns the rows by ref, in no particular order; absent ones are left out. */
export async function rowsByRef(db: Db, refs: readonly number[]): Promise<StoredRow[]> {
  const found = await sql<StoredRow>`
    select ref, id, partition, metadata, document from vector_row
    where ref in (select value from json_each(${JSON.stringify(refs)}))`.execute(db);
  return found.rows;
}

export async function rowsById(db: Db, indexId: number, ids: readonly string[]): Promise<StoredRow[]> {
  const found = await sql<StoredRow>`
    select ref, id, partition, metadata, document from vector_row
    where index_id = ${indexId} and id in (select value from json_each(${JSON.stringify(ids)}))`.execute(db);
  return found.rows;
}

export async function idsByRef(db: Db, refs: readonly number[]): Promise<RefId[]> {
  const found = await sql<RefId>`
    select ref, id from vector_row where ref in (select value from json_each(${JSON.stringify(refs)}))`.execute(db);
  return found.rows;
}

export async function refsById(db: Db, indexId: number, ids: readonly string[]): Promise<RefId[]> {
  const found = await sql<RefId>`
    select ref, id from vector_row
    where index_id = ${indexId} and id in (select value from json_each(${JSON.stringify(ids)}))`.execute(db);
  return found.rows;
}

/** Returns raw vectors by id. */
export async function vectorsById(
  db: Db,
  indexId: number,
  ids: readonly string[],
): Promise<Array<{ ref: number; id: string; vector: Float32Array }>> {
  const found = await sql<{ ref: number; id: string; vector: Uint8Array }>`
    select ref, id, vector from vector_row
    where index_id = ${indexId} and id in (select value from json_each(${JSON.stringify(ids)}))`.execute(db);
  return found.rows.map((row) => ({ ref: row.ref, id: row.id, vector: floatsOf(row.vector) }));
}

export interface LoadedRow {
  readonly ref: number;
  readonly partition: string;
  readonly norm: number;
  readonly vector: Uint8Array;
}

/** Returns the rows after a ref, in ref order: for loading. */
export async function pageOfVectors(
  db: Db,
  indexId: number,
  page: { after: number; limit: number },
): Promise<LoadedRow[]> {
  const found = await sql<LoadedRow>`
    select ref, partition, norm, vector from vector_row
    where index_id = ${indexId} and ref > ${page.after} order by ref limit ${page.limit}`.execute(db);
  return found.rows;
}

/** Returns the metadata after a ref, in ref order: for columns and scans. */
export async function pageOfMetadata(
  db: Db,
  indexId: number,
  page: { after: number; limit: number },
): Promise<Array<{ ref: number; metadata: string }>> {
  const found = await sql<{ ref: number; metadata: string }>`
    select ref, metadata from vector_row
    where index_id = ${indexId} and ref > ${page.after} order by ref limit ${page.limit}`.execute(db);
  return found.rows;
}

/** Returns whole rows in id order after an id. */
export async function pageOfRows(
  db: Db,
  indexId: number,
  page: { after: string | undefined; limit: number },
): Promise<Array<StoredRow & { vector: Float32Array }>> {
  const found = await sql<StoredRow & { vector: Uint8Array }>`
    select ref, id, partition, metadata, document, vector from vector_row
    where index_id = ${indexId} and id > ${page.after ?? ''} order by id limit ${page.limit}`.execute(db);
  return found.rows.map((row) => ({ ...row, vector: floatsOf(row.vector) }));
}

/** Returns whole rows by id, in no particular order. */
export async function wholeRowsById(
  db: Db,
  indexId: number,
  ids: readonly string[],
): Promise<Array<StoredRow & { vector: Float32Array }>> {
  const found = await sql<StoredRow & { vector: Uint8Array }>`
    select ref, id, partition, metadata, document, vector from vector_row
    where index_id = ${indexId} and id in (select value from json_each(${JSON.stringify(ids)}))`.execute(db);
  return found.rows.map((row) => ({ ...row, vector: floatsOf(row.vector) }));
}

/** Returns a copy of a blob as floats (a blob need not lie at a multiple of four); of a damaged one those that are whole. */
function floatsOf(bytes: Uint8Array): Float32Array {
  const floats = new Float32Array(Math.floor(bytes.length / 4));
  new Uint8Array(floats.buffer).set(bytes.subarray(0, floats.byteLength));
  return floats;
}
