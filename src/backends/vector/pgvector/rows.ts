import { type RawBuilder, sql } from 'kysely';
import type { JsonObject } from '../../../core/model.js';
import type { Db } from '../../store/schema.js';
import { chunks } from '../../store/sql.js';
import { checkedTexts, checkedVector, checkId } from '../check-vector.js';
import type { VectorEntry, VectorSelector } from '../port.js';
import { filterSql } from './filter-sql.js';
import { type IndexRow, tableName } from './tables.js';

interface NewRow {
  readonly id: string;
  readonly partition: string;
  /** JSON. */
  readonly metadata: string;
  readonly document: string | null;
  readonly vector: Float32Array;
}

const BATCH = 200;

/** Returns entries as rows, the last one of equal ids; throws `invalid_input` before anything is written. */
export function checkedRows(entries: readonly VectorEntry[], dimension: number): NewRow[] {
  const rows = new Map<string, NewRow>();
  for (const entry of entries) {
    checkId(entry.id);
    rows.set(entry.id, {
      id: entry.id,
      partition: entry.partition ?? '',
      metadata: checkedTexts(entry),
      document: entry.document ?? null,
      vector: checkedVector(entry.vector, dimension, 'vectors').vector,
    });
  }
  return [...rows.values()];
}

/** Writes rows over those of equal ids. */
export async function upsertRows(db: Db, index: IndexRow, rows: readonly NewRow[]): Promise<void> {
  await insertRows(db, index, {
    rows,
    onConflict: sql`do update set partition = excluded.partition, metadata = excluded.metadata,
      document = excluded.document, vector = excluded.vector`,
  });
}

/** Adds rows whose ids are free; returns how many. */
export async function insertAbsentRows(db: Db, index: IndexRow, rows: readonly NewRow[]): Promise<number> {
  return insertRows(db, index, { rows, onConflict: sql`do nothing` });
}

/** Inserts in id order, so that two writers never deadlock. */
async function insertRows(
  db: Db,
  index: IndexRow,
  spec: { rows: readonly NewRow[]; onConflict: RawBuilder<unknown> },
): Promise<number> {
  let written = 0;
  const ordered = [...spec.rows].sort((a, b) => (a.id < b.id ? -1 : 1));
  for (const batch of chunks(ordered, BATCH)) {
    const done = await sql`
      insert into ${tableOf(index)} (index_id, id, partition, metadata, document, vector)
      select ${index.id}::bigint, * from unnest(
        ${batch.map((row) => row.id)}::text[],
        ${batch.map((row) => row.partition)}::text[],
        ${batch.map((row) => row.metadata)}::text[]::jsonb[],
        ${batch.map((row) => row.document)}::text[],
        ${batch.map((row) => literal(row.vector))}::text[]::vector[])
      on conflict (index_id, id) ${spec.onConflict}`.execute(db);
    written += Number(done.numAffectedRows ?? 0);
  }
  return written;
}

/** Merges metadata and replaces vectors; returns how many rows. */
export async function updateRows(
  db: Db,
  index: IndexRow,
  spec: { selector: VectorSelector; vector: Float32Array | undefined; metadata: string | undefined },
): Promise<number> {
  const vector = spec.vector === undefined ? sql`vector` : sql`${literal(spec.vector)}::vector`;
  const done = await sql`
    update ${tableOf(index)}
    set metadata = metadata || ${spec.metadata ?? '{}'}::jsonb, vector = ${vector}
    where ${selected(index, spec.selector)}`.execute(db);
  return Number(done.numAffectedRows ?? 0);
}

export async function deleteRows(db: Db, index: IndexRow, selector: VectorSelector): Promise<number> {
  const done = await sql`delete from ${tableOf(index)} where ${selected(index, selector)}`.execute(db);
  return Number(done.numAffectedRows ?? 0);
}

export function countRows(db: Db, index: IndexRow): Promise<number> {
  return counted(db, index, sql`index_id = ${index.id}`);
}

export function countSelected(db: Db, index: IndexRow, selector: VectorSelector): Promise<number> {
  return counted(db, index, selected(index, selector));
}

async function counted(db: Db, index: IndexRow, where: RawBuilder<unknown>): Promise<number> {
  const found = await sql<{ count: number }>`select count(*) as count from ${tableOf(index)} where ${where}`.execute(
    db,
  );
  return Number(found.rows[0]?.count ?? 0);
}

export async function vectorsById(db: Db, index: IndexRow, ids: readonly string[]): Promise<Map<string, Float32Array>> {
  const found = await sql<{ id: string; vector: Buffer }>`
    select id, vector_send(vector) as vector from ${tableOf(index)}
    where index_id = ${index.id} and id = any(${ids}::text[])`.execute(db);
  return new Map(found.rows.map((row) => [row.id, received(row.vector)]));
}

interface WholeRow {
  readonly id: string;
  readonly partition: string;
  readonly metadata: JsonObject;
  readonly document: string | null;
  readonly vector: Buffer;
}

/** Returns whole rows in id order after an id. */
export async function pageOfRows(
  db: Db,
  index: IndexRow,
  page: { after: string | undefined; limit: number },
): Promise<VectorEntry[]> {
  const found = await sql<WholeRow>`
    select id, partition, metadata, document, vector_send(vector) as vector from ${tableOf(index)}
    where index_id = ${index.id} and id > ${page.after ?? ''} order by id limit ${page.limit}`.execute(db);
  return found.rows.map(entryOf);
}

export async function wholeRowsById(db: Db, index: IndexRow, ids: readonly string[]): Promise<VectorEntry[]> {
  const found = await sql<WholeRow>`
    select id, partition, metadata, document, vector_send(vector) as vector from ${tableOf(index)}
    where index_id = ${index.id} and id = any(${ids}::text[])`.execute(db);
  return found.rows.map(entryOf);
}

function entryOf({ id, partition, metadata, document, vector }: WholeRow): VectorEntry {
  return { id, vector: received(vector), metadata, partition, ...(document === null ? {} : { document }) };
}

export function tableOf(index: IndexRow): RawBuilder<unknown> {
  return sql.table(tableName(index));
}

/** Returns a vector as pgvector reads it. */
export function literal(vector: Float32Array): string {
  return `[${vector.join(',')}]`;
}

/** Returns the binary form of a vector: two 16-bit numbers, then big-endian floats. */
export function received(bytes: Buffer): Float32Array {
  const vector = new Float32Array((bytes.length - 4) / 4);
  for (let i = 0; i < vector.length; i += 1) vector[i] = bytes.readFloatBE(4 + 4 * i);
  return vector;
}

function selected(index: IndexRow, selector: VectorSelector): RawBuilder<boolean> {
  const own = sql`index_id = ${index.id}`;
  if ('ids' in selector) return sql`${own} and id = any(${selector.ids}::text[])`;
  if ('partition' in selector) return sql`${own} and partition = ${selector.partition}`;
  return sql`${own} and ${filterSql(selector.filter)}`;
}
