import { type Kysely, type Selectable, sql } from 'kysely';
import type { Database } from '../schema.js';

export type PairRow = Selectable<Database['pair_buffer']>;

export interface Sighting {
  readonly first_id: string;
  readonly second_id: string;
  readonly domain: string;
  readonly similarity: number;
}

/** Outcomes that call an item useful. */
const USEFUL = ['accepted', 'partial'] as const;

/**
 * Writes how many queries called both items of each pair useful (first id < second id, each pair once); a pair that no
 * query does any more is deleted. Counted again from the feedback each time, so a repetition counts nothing twice.
 */
export async function putSightings(db: Kysely<Database>, pairs: readonly Sighting[], now: number): Promise<void> {
  for (const { similarity, ...pair } of pairs) {
    const sightings = await usefulQueries(db, pair);
    if (sightings === 0) {
      await db
        .deleteFrom('pair_buffer')
        .where('first_id', '=', pair.first_id)
        .where('second_id', '=', pair.second_id)
        .where('promoted_at', 'is', null)
        .execute();
      continue;
    }
    await db
      .insertInto('pair_buffer')
      .values({ ...pair, sightings, similarity: similarity * sightings, promoted_at: null, updated_at: now })
      .onConflict((conflict) =>
        conflict.columns(['first_id', 'second_id']).doUpdateSet({
          sightings: sql`excluded.sightings`,
          similarity: sql`excluded.similarity`,
          updated_at: sql`excluded.updated_at`,
        }),
      )
      .execute();
  }
}

/** Returns the number of queries whose feedback called both items useful. */
async function usefulQueries(
  db: Kysely<Database>,
  { first_id, second_id }: Pick<Sighting, 'first_id' | 'second_id'>,
): Promise<number> {
  const row = await db
    .selectFrom('feedback as one')
    .innerJoin('feedback as two', 'one.query_id', 'two.query_id')
    .select(sql<number>`count(distinct one.query_id)`.as('queries'))
    .where('one.item_id', '=', first_id)
    .where('two.item_id', '=', second_id)
    .where('one.outcome', 'in', USEFUL)
    .where('two.outcome', 'in', USEFUL)
    .executeTakeFirstOrThrow();
  return Number(row.queries);
}

/** Returns pairs that are ripe: called useful in enough queries, with enough mean similarity, and not promoted before. */
export async function ripePairs(
  db: Kysely<Database>,
  { sightings, mean, limit }: { readonly sightings: number; readonly mean: number; readonly limit: number },
): Promise<PairRow[]> {
  return db
    .selectFrom('pair_buffer')
    .selectAll()
    .where('promoted_at', 'is', null)
    .where('sightings', '>=', sightings)
    .where(sql<boolean>`similarity >= cast(${mean} as double precision) * sightings`)
    .orderBy('first_id')
    .orderBy('second_id')
    .limit(limit)
    .execute();
}

/**
 * Deletes up to `limit` pairs beyond the newest `most`: first those that are not promoted, with the fewest sightings,
 * the oldest first. Returns how many.
 */
export async function deleteExcessPairs(
  db: Kysely<Database>,
  { most, limit }: { readonly most: number; readonly limit: number },
): Promise<number> {
  const { pairs } = await db
    .selectFrom('pair_buffer')
    .select((eb) => eb.fn.countAll().as('pairs'))
    .executeTakeFirstOrThrow();
  const excess = Math.min(limit, Number(pairs) - most);
  if (excess <= 0) return 0;
  const rows = await db
    .selectFrom('pair_buffer')
    .select(['first_id', 'second_id'])
    .orderBy(sql`promoted_at is not null`)
    .orderBy('sightings')
    .orderBy('updated_at')
    .orderBy('first_id')
    .orderBy('second_id')
    .limit(excess)
    .execute();
  for (const { first_id, second_id } of rows) {
    await db.deleteFrom('pair_buffer').where('first_id', '=', first_id).where('second_id', '=', second_id).execute();
  }
  return rows.length;
}

/** Marks a pair; false where another process was first. */
export async function markPromoted(
  db: Kysely<Database>,
  pair: Pick<PairRow, 'first_id' | 'second_id'>,
  now: number,
): Promise<boolean> {
  const rows = await db
    .updateTable('pair_buffer')
    .set({ promoted_at: now })
    .where('first_id', '=', pair.first_id)
    .where('second_id', '=', pair.second_id)
    .where('promoted_at', 'is', null)
    .returning('first_id')
    .execute();
  return rows.length > 0;
}

/** Returns the number of pairs that are not promoted yet. */
export async function pairCounts(db: Kysely<Database>): Promise<number> {
  const row = await db
    .selectFrom('pair_buffer')
    .select((eb) => eb.fn.countAll().as('pairs'))
    .where('promoted_at', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(row.pairs);
}

/** Deletes pairs that are not promoted yet: of a domain, or all. */
export async function deletePairs(db: Kysely<Database>, domain?: string): Promise<void> {
  await db
    .deleteFrom('pair_buffer')
    .where('promoted_at', 'is', null)
    .$if(domain !== undefined, (query) => query.where('domain', '=', domain!))
    .execute();
}

/** Deletes pairs not seen since `before` that were never promoted. */
export async function deleteStalePairs(db: Kysely<Database>, before: number): Promise<void> {
  await db.deleteFrom('pair_buffer').where('promoted_at', 'is', null).where('updated_at', '<', before).execute();
}
