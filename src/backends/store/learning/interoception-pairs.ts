import { type Kysely, type Selectable, sql } from 'kysely';
import type { Database } from '../schema.js';
import { chunks } from '../sql.js';

export type PairRow = Selectable<Database['pair_buffer']>;

export interface Sighting {
  readonly first_id: string;
  readonly second_id: string;
  readonly domain: string;
  readonly similarity: number;
}

/** Adds a sighting to each pair (first id < second id, each pair once). */
export async function addSightings(db: Kysely<Database>, pairs: readonly Sighting[], now: number): Promise<void> {
  for (const part of chunks(pairs, 500)) {
    await db
      .insertInto('pair_buffer')
      .values(part.map((pair) => ({ ...pair, sightings: 1, promoted_at: null, updated_at: now })))
      .onConflict((conflict) =>
        conflict.columns(['first_id', 'second_id']).doUpdateSet({
          sightings: sql`pair_buffer.sightings + 1`,
          similarity: sql`pair_buffer.similarity + excluded.similarity`,
          updated_at: sql`excluded.updated_at`,
        }),
      )
      .execute();
  }
}

/**
 * Returns pairs that are ripe: seen often enough with enough mean similarity, or both accepted in one answer by one
 * source. Only pairs that were not promoted before.
 */
export async function ripePairs(
  db: Kysely<Database>,
  { sightings, mean, limit }: { readonly sightings: number; readonly mean: number; readonly limit: number },
): Promise<PairRow[]> {
  return db
    .selectFrom('pair_buffer')
    .selectAll()
    .where('promoted_at', 'is', null)
    .where((eb) =>
      eb.or([
        eb.and([
          eb('sightings', '>=', sightings),
          sql<boolean>`similarity >= cast(${mean} as double precision) * sightings`,
        ]),
        eb.exists(
          eb
            .selectFrom('feedback as one')
            .innerJoin('feedback as two', (join) =>
              join.onRef('one.query_id', '=', 'two.query_id').onRef('one.source', '=', 'two.source'),
            )
            .select('one.item_id')
            .whereRef('one.item_id', '=', 'pair_buffer.first_id')
            .whereRef('two.item_id', '=', 'pair_buffer.second_id')
            .where('one.outcome', '=', 'accepted')
            .where('two.outcome', '=', 'accepted'),
        ),
      ]),
    )
    .orderBy('first_id')
    .orderBy('second_id')
    .limit(limit)
    .execute();
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
