import { type RawBuilder, sql } from 'kysely';
import type { JsonObject } from '../../../core/model.js';
import type { Db } from '../../store/schema.js';
import { compareText } from '../filter.js';
import type { VectorHit, VectorQuery } from '../port.js';
import { normOf, prepared, rankingOf, scoreOfRank } from '../score.js';
import { filterSql } from './filter-sql.js';
import { literal, received, tableOf } from './rows.js';
import { hasGraph, type IndexRow } from './tables.js';

interface HitRow {
  readonly id: string;
  readonly metadata: JsonObject;
  readonly document: string | null;
  readonly vector: Buffer;
}

/** Fewer candidates than this are compared one by one. */
const EXACT_BELOW = 20_000;
const EF_SEARCH = 120;
const MAX_EF_SEARCH = 1000;
const OPERATORS = { cosine: sql`<=>`, euclidean: sql`<->`, dotproduct: sql`<#>` };

/** Returns hits, best first; exact unless there is an HNSW index and enough candidates for it. */
export async function search(
  db: Db,
  index: IndexRow,
  spec: { query: VectorQuery; vector: Float32Array },
): Promise<VectorHit[]> {
  const { query, vector } = spec;
  const where = conditions(index, query);
  const norm = normOf(vector);
  const zero = index.metric === 'cosine' && norm === 0;
  if (!zero && (await hasGraph(db, index)) && (await passesAtLeast(db, index, where))) {
    const rows = await throughGraph(db, index, { where, vector, k: query.topK });
    // Fewer than requested means that the scan gave up before the filter let enough pass.
    if (rows.length === query.topK) return hitsOf(rows, index, spec);
  }
  return hitsOf(await exact(db, index, { where, vector, k: query.topK, zero }), index, spec);
}

function conditions(index: IndexRow, query: VectorQuery): RawBuilder<boolean> {
  const parts: Array<RawBuilder<boolean>> = [sql`index_id = ${index.id}`];
  if (query.partitions !== undefined) parts.push(sql`partition = any(${query.partitions}::text[])`);
  if (query.filter !== undefined) parts.push(filterSql(query.filter));
  return sql`${sql.join(parts, sql` and `)}`;
}

async function passesAtLeast(db: Db, index: IndexRow, where: RawBuilder<boolean>): Promise<boolean> {
  const found = await sql<{ count: number }>`
    select count(*) as count from (select 1 from ${tableOf(index)} where ${where} limit ${EXACT_BELOW}) as few`.execute(
    db,
  );
  return Number(found.rows[0]?.count ?? 0) >= EXACT_BELOW;
}

async function throughGraph(
  db: Db,
  index: IndexRow,
  spec: { where: RawBuilder<boolean>; vector: Float32Array; k: number },
): Promise<HitRow[]> {
  const ef = Math.min(MAX_EF_SEARCH, Math.max(EF_SEARCH, spec.k * 2));
  return db.transaction().execute(async (tx) => {
    await sql`select set_config('hnsw.iterative_scan', 'strict_order', true),
      set_config('hnsw.ef_search', ${String(ef)}, true),
      set_config('hnsw.max_scan_tuples', '200000', true)`.execute(tx);
    const found = await sql<HitRow>`
      select id, metadata, document, vector_send(vector) as vector from ${tableOf(index)}
      where ${spec.where} order by vector ${OPERATORS[index.metric]} ${literal(spec.vector)}::vector
      limit ${spec.k}`.execute(tx);
    return found.rows;
  });
}

async function exact(
  db: Db,
  index: IndexRow,
  spec: { where: RawBuilder<boolean>; vector: Float32Array; k: number; zero: boolean },
): Promise<HitRow[]> {
  const distance = sql`(vector ${OPERATORS[index.metric]} ${literal(spec.vector)}::vector)`;
  // An expression around the distance keeps the planner from the HNSW index. A zero vector has no angle, which pgvector says as
  // NaN: it counts as similarity 0. To compare its norm would read each vector twice.
  const order =
    index.metric !== 'cosine'
      ? sql`${distance} + 0`
      : spec.zero
        ? sql`1::float8`
        : sql`coalesce(nullif(${distance}, 'NaN'::float8), 1)`;
  const found = await sql<HitRow>`
    select id, metadata, document, vector_send(vector) as vector from ${tableOf(index)}
    where ${spec.where} order by ${order}, id limit ${spec.k}`.execute(db);
  return found.rows;
}

/** Returns hits with scores computed as everywhere: the server's are sums of 32-bit floats. */
function hitsOf(
  rows: readonly HitRow[],
  index: IndexRow,
  spec: { query: VectorQuery; vector: Float32Array },
): VectorHit[] {
  const ready = prepared(index.metric, spec.vector);
  const rank = rankingOf(index.metric);
  const ranked = rows.map((row) => {
    const vector = received(row.vector);
    return { row, vector, rank: rank(ready, prepared(index.metric, vector), 0, index.dimension) };
  });
  ranked.sort((a, b) => b.rank - a.rank || compareText(a.row.id, b.row.id));
  return ranked.map(({ row, vector, rank: value }) => ({
    id: row.id,
    score: scoreOfRank(index.metric, value),
    metadata: row.metadata,
    ...(row.document === null ? {} : { document: row.document }),
    ...(spec.query.includeVector === true ? { vector: [...vector] } : {}),
  }));
}
