import { type Insertable, type Kysely, type Selectable, sql } from 'kysely';
import type { Database } from '../schema.js';
import { anyOf, chunks } from '../sql.js';

export type EdgeEvent = Selectable<Database['feedback_edge']>;
export type EdgeFactorRow = Selectable<Database['edge_factor']>;
export type ItemPriorRow = Selectable<Database['item_prior']>;

/** Replaces the edge events of one feedback (query and source); returns the edges that it named before. */
export async function replaceEdgeEvents(
  db: Kysely<Database>,
  { query_id, source }: { readonly query_id: string; readonly source: string },
  events: readonly EdgeEvent[],
): Promise<string[]> {
  const before = await db
    .deleteFrom('feedback_edge')
    .where('query_id', '=', query_id)
    .where('source', '=', source)
    .returning('edge_id')
    .execute();
  for (const part of chunks(events, 500)) await db.insertInto('feedback_edge').values(part).execute();
  return before.map((row) => row.edge_id);
}

/** Returns the feedback on these queries that taught edges. */
export async function feedbackWithEdges(
  db: Kysely<Database>,
  queryIds: readonly string[],
): Promise<Array<{ query_id: string; source: string }>> {
  return db
    .selectFrom('feedback_edge')
    .select(['query_id', 'source'])
    .distinct()
    .where(anyOf(db, 'query_id', queryIds))
    .orderBy('query_id')
    .orderBy('source')
    .execute();
}

/** Returns all feedback events of these edges, oldest first. */
export async function edgeEvents(db: Kysely<Database>, edgeIds: readonly string[]): Promise<EdgeEvent[]> {
  return db
    .selectFrom('feedback_edge')
    .selectAll()
    .where(anyOf(db, 'edge_id', edgeIds))
    .orderBy('at')
    .orderBy('query_id')
    .orderBy('source')
    .execute();
}

export async function readEdgeFactors(db: Kysely<Database>, edgeIds: readonly string[]): Promise<EdgeFactorRow[]> {
  return db
    .selectFrom('edge_factor')
    .selectAll()
    .where(anyOf(db, 'edge_id', edgeIds))
    .execute();
}

export async function putEdgeFactors(
  db: Kysely<Database>,
  rows: ReadonlyArray<Insertable<Database['edge_factor']>>,
): Promise<void> {
  for (const part of chunks(rows, 500)) {
    await db
      .insertInto('edge_factor')
      .values(part)
      .onConflict((conflict) => conflict.column('edge_id').doUpdateSet(FOLD))
      .execute();
  }
}

export async function readItemPriors(db: Kysely<Database>, itemIds: readonly string[]): Promise<ItemPriorRow[]> {
  return db
    .selectFrom('item_prior')
    .selectAll()
    .where(anyOf(db, 'item_id', itemIds))
    .execute();
}

export async function putItemPriors(
  db: Kysely<Database>,
  rows: ReadonlyArray<Insertable<Database['item_prior']>>,
): Promise<void> {
  for (const part of chunks(rows, 500)) {
    await db
      .insertInto('item_prior')
      .values(part)
      .onConflict((conflict) =>
        conflict.columns(['item_id', 'question']).doUpdateSet({
          ...FOLD,
          text: sql`excluded.text`,
          model: sql`excluded.model`,
          vector: sql`excluded.vector`,
          text_hash: sql`excluded.text_hash`,
        }),
      )
      .execute();
  }
}

const FOLD = {
  factor: sql<number>`excluded.factor`,
  at: sql<number>`excluded.at`,
  base: sql<number>`excluded.base`,
  base_at: sql<number>`excluded.base_at`,
  events: sql<number>`excluded.events`,
  version: sql<number>`excluded.version`,
};

/** Returns edge factors that changed after a version, in id order from `after` on: what caches read. */
export async function changedEdgeFactors(
  db: Kysely<Database>,
  { since, after, limit }: { readonly since: number; readonly after: string; readonly limit: number },
): Promise<Array<{ edge_id: string; factor: number; at: number }>> {
  return db
    .selectFrom('edge_factor')
    .select(['edge_id', 'factor', 'at'])
    .where('version', '>', since)
    .where('edge_id', '>', after)
    .orderBy('edge_id')
    .limit(limit)
    .execute();
}

/** Returns items that were rated after a version, in the same way. */
export async function changedItems(
  db: Kysely<Database>,
  { since, after, limit }: { readonly since: number; readonly after: string; readonly limit: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom('item_prior')
    .select('item_id')
    .distinct()
    .where('version', '>', since)
    .where('item_id', '>', after)
    .orderBy('item_id')
    .limit(limit)
    .execute();
  return rows.map((row) => row.item_id);
}

/** Returns the factors farthest from 1. */
export async function strongestEdgeFactors(db: Kysely<Database>, limit: number): Promise<EdgeFactorRow[]> {
  return db
    .selectFrom('edge_factor')
    .selectAll()
    .orderBy(sql`abs(factor - 1)`, 'desc')
    .orderBy('edge_id')
    .limit(limit)
    .execute();
}

export async function strongestItemPriors(db: Kysely<Database>, limit: number): Promise<ItemPriorRow[]> {
  return db
    .selectFrom('item_prior')
    .selectAll()
    .orderBy(sql`abs(factor - 1)`, 'desc')
    .orderBy('item_id')
    .orderBy('question')
    .limit(limit)
    .execute();
}

export async function deleteEdgeFactors(db: Kysely<Database>, edgeIds: readonly string[]): Promise<void> {
  await db
    .deleteFrom('edge_factor')
    .where(anyOf(db, 'edge_id', edgeIds))
    .execute();
}

export async function deleteItemPrior(db: Kysely<Database>, itemId: string, question: string): Promise<void> {
  await db.deleteFrom('item_prior').where('item_id', '=', itemId).where('question', '=', question).execute();
}

/** Empties every table of interoception; returns how many factors and priors were deleted. */
export async function deleteAllFactors(db: Kysely<Database>): Promise<{ edges: number; items: number }> {
  const edges = await db.deleteFrom('edge_factor').executeTakeFirst();
  const items = await db.deleteFrom('item_prior').executeTakeFirst();
  await db.deleteFrom('feedback_edge').execute();
  return { edges: Number(edges.numDeletedRows), items: Number(items.numDeletedRows) };
}

/** Deletes factors so old that nothing is left of them, and that no kept event supports. */
export async function deleteFadedFactors(db: Kysely<Database>, before: number): Promise<void> {
  await db
    .deleteFrom('edge_factor')
    .where('at', '<', before)
    .where('edge_id', 'not in', (eb) => eb.selectFrom('feedback_edge').select('edge_id'))
    .execute();
  await db
    .deleteFrom('item_prior')
    .where('at', '<', before)
    .where('item_id', 'not in', (eb) => eb.selectFrom('feedback').select('item_id'))
    .execute();
}
