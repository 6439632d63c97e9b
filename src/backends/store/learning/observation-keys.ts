import type { Kysely } from 'kysely';
import type { Database } from '../schema.js';
import { anyOf, chunks } from '../sql.js';

const ROWS = 1000;

/** Remembers keys of a learner's observations; returns those that were not known before. */
export async function claimObservationKeys(
  db: Kysely<Database>,
  learner: string,
  { keys, at }: { readonly keys: readonly string[]; readonly at: number },
): Promise<Set<string>> {
  const fresh = new Set<string>();
  // In one order everywhere, so that two replicas never wait for each other.
  for (const part of chunks([...new Set(keys)].sort(), ROWS)) {
    const rows = await db
      .insertInto('observation_key')
      .values(part.map((key) => ({ learner, key, at })))
      .onConflict((conflict) => conflict.columns(['learner', 'key']).doNothing())
      .returning('key')
      .execute();
    for (const { key } of rows) fresh.add(key);
  }
  return fresh;
}

/** Forgets keys whose observations were refused. */
export async function releaseObservationKeys(
  db: Kysely<Database>,
  learner: string,
  keys: readonly string[],
): Promise<void> {
  for (const part of chunks(keys, ROWS)) {
    await db
      .deleteFrom('observation_key')
      .where('learner', '=', learner)
      .where(anyOf(db, 'key', part))
      .execute();
  }
}

/** Deletes up to `limit` keys from before a moment; returns how many were deleted. */
export async function pruneObservationKeys(db: Kysely<Database>, before: number, limit: number): Promise<number> {
  const result = await db
    .deleteFrom('observation_key')
    .where((eb) =>
      eb(
        eb.refTuple('learner', 'key'),
        'in',
        eb
          .selectFrom('observation_key')
          .select(['learner', 'key'])
          .where('at', '<', before)
          .limit(limit)
          .$asTuple('learner', 'key'),
      ),
    )
    .executeTakeFirst();
  return Number(result.numDeletedRows);
}
