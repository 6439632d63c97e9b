import { type Kysely, sql } from 'kysely';
import type { Database } from '../schema.js';
import { anyOf, chunks } from '../sql.js';

const PAGE = 5000;

/** Where nodes are named. */
const PLACES = [
  ['feedback', 'item_id'],
  ['item_prior', 'item_id'],
  ['pair_buffer', 'first_id'],
  ['pair_buffer', 'second_id'],
] as const;

/** Returns whether there is feedback on these nodes or anything learned from it. */
export async function anyLearnt(db: Kysely<Database>, ids: readonly string[]): Promise<boolean> {
  for (const [table, column] of PLACES) {
    const found = await db
      .selectFrom(table)
      .select(sql<number>`1`.as('one'))
      .where(anyOf(db, column, ids))
      .limit(1)
      .executeTakeFirst();
    if (found !== undefined) return true;
  }
  return false;
}

/** Returns whether there is feedback on items of a domain or an ingest source, or anything learned from it. */
export async function anyLearntIn(
  db: Kysely<Database>,
  scope: { readonly domain: string } | { readonly source_id: string },
): Promise<boolean> {
  const ofDomain = 'domain' in scope;
  const [column, value] = ofDomain ? ['domain', scope.domain] : ['source_id', scope.source_id];
  for (const table of ['feedback', 'item_prior', ...(ofDomain ? ['feedback_edge', 'edge_factor'] : [])]) {
    const found = sql`select 1 as one from ${sql.table(table)} where ${sql.ref(column)} = ${value} limit 1`;
    if ((await found.execute(db)).rows.length > 0) return true;
  }
  return false;
}

/** Deletes the feedback on these nodes and what was learned from it: priors, pairs. */
export async function deleteLearnt(db: Kysely<Database>, ids: readonly string[]): Promise<void> {
  for (const [table, column] of PLACES) {
    await db
      .deleteFrom(table)
      .where(anyOf(db, column, ids))
      .execute();
  }
}

/** Returns the learned edges of these domains that match. */
export async function learntEdges(
  db: Kysely<Database>,
  domains: readonly string[],
  fits: (edgeId: string) => boolean,
): Promise<string[]> {
  const found = new Set<string>();
  for (const table of ['edge_factor', 'feedback_edge'] as const) {
    for (let after = ''; ; ) {
      const rows = await db
        .selectFrom(table)
        .select('edge_id')
        .distinct()
        .where(anyOf(db, 'domain', domains))
        .where('edge_id', '>', after)
        .orderBy('edge_id')
        .limit(PAGE)
        .execute();
      for (const { edge_id } of rows) if (fits(edge_id)) found.add(edge_id);
      if (rows.length < PAGE) break;
      after = rows[rows.length - 1]!.edge_id;
    }
  }
  return [...found];
}

/** Deletes the factors of these edges and the feedback on them. */
export async function deleteLearntEdges(db: Kysely<Database>, ids: readonly string[]): Promise<void> {
  for (const part of chunks(ids, 500)) {
    for (const table of ['edge_factor', 'feedback_edge'] as const) {
      await db
        .deleteFrom(table)
        .where(anyOf(db, 'edge_id', part))
        .execute();
    }
  }
}
