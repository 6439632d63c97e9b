import { type Insertable, type Kysely, type RawBuilder, type Selectable, sql } from 'kysely';
import type { Database } from '../schema.js';
import { anyOf, chunks } from '../sql.js';

export type FeedbackRow = Selectable<Database['feedback']>;

/** Returns the feedback of a source on a query's items, in the order of items. */
export async function readFeedback(db: Kysely<Database>, queryId: string, source?: string): Promise<FeedbackRow[]> {
  return db
    .selectFrom('feedback')
    .selectAll()
    .where('query_id', '=', queryId)
    .$if(source !== undefined, (query) => query.where('source', '=', source!))
    .orderBy('item_id')
    .execute();
}

/** Writes outcomes; the same query, item and source again replaces. */
export async function putFeedback(
  db: Kysely<Database>,
  rows: ReadonlyArray<Insertable<Database['feedback']>>,
): Promise<void> {
  for (const part of chunks(rows, 500)) {
    await db
      .insertInto('feedback')
      .values(part)
      .onConflict((conflict) =>
        conflict.columns(['query_id', 'item_id', 'source']).doUpdateSet({
          outcome: sql`excluded.outcome`,
          at: sql`excluded.at`,
        }),
      )
      .execute();
  }
}

/** Returns all feedback on these items for one question, oldest first. */
export async function feedbackOf(
  db: Kysely<Database>,
  question: string,
  itemIds: readonly string[],
): Promise<FeedbackRow[]> {
  return db
    .selectFrom('feedback')
    .selectAll()
    .where('question', '=', question)
    .where(anyOf(db, 'item_id', itemIds))
    .orderBy('at')
    .orderBy('query_id')
    .orderBy('source')
    .execute();
}

export type FeedbackScope =
  | { readonly domain: string }
  /** Of an ingest source: its passages, and these concepts that it asserts. */
  | { readonly source_id: string; readonly concepts: readonly string[] }
  | { readonly item_ids: readonly string[] }
  | { readonly query_ids: readonly string[] };

/** Returns up to `limit` feedback rows in scope. */
export async function feedbackIn(db: Kysely<Database>, scope: FeedbackScope, limit: number): Promise<FeedbackRow[]> {
  const query = db.selectFrom('feedback').selectAll().where(inScope(db, scope));
  return query.orderBy('at').orderBy('query_id').orderBy('item_id').orderBy('source').limit(limit).execute();
}

/** Counts the rows of a scope; all without one. */
export async function countFeedback(db: Kysely<Database>, scope?: FeedbackScope): Promise<number> {
  const { count } = await db
    .selectFrom('feedback')
    .select((eb) => eb.fn.countAll().as('count'))
    .$if(scope !== undefined, (query) => query.where(inScope(db, scope!)))
    .executeTakeFirstOrThrow();
  return Number(count);
}

function inScope(db: Kysely<Database>, scope: FeedbackScope): RawBuilder<boolean> {
  if ('domain' in scope) return sql<boolean>`domain = ${scope.domain}`;
  if ('source_id' in scope) return ofSource(db, scope);
  if ('item_ids' in scope) return anyOf(db, 'item_id', scope.item_ids);
  return anyOf(db, 'query_id', scope.query_ids);
}

/** Returns rows about items of an ingest source; for `feedback` and `item_prior` alike. */
export function ofSource(
  db: Kysely<Database>,
  { source_id, concepts }: { readonly source_id: string; readonly concepts: readonly string[] },
): RawBuilder<boolean> {
  const passages = sql<boolean>`source_id = ${source_id}`;
  return concepts.length === 0 ? passages : sql<boolean>`(${passages} or ${anyOf(db, 'item_id', concepts)})`;
}

export async function deleteFeedback(db: Kysely<Database>, rows: readonly FeedbackRow[]): Promise<void> {
  for (const { query_id, item_id, source } of rows) {
    await db
      .deleteFrom('feedback')
      .where('query_id', '=', query_id)
      .where('item_id', '=', item_id)
      .where('source', '=', source)
      .execute();
  }
}
