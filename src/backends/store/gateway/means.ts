import { type Kysely, sql } from 'kysely';
import type { Database } from '../schema.js';
import { chunks } from '../sql.js';

const HOUR_MS = 3_600_000;

/** Notes posterior means as they are now; an hour keeps the last of each arm. */
export async function noteMeans(
  db: Kysely<Database>,
  means: ReadonlyArray<{ readonly armId: string; readonly mean: number }>,
  now: number,
): Promise<void> {
  const hour = Math.floor(now / HOUR_MS);
  for (const part of chunks(means, 500)) {
    await db
      .insertInto('gateway_mean')
      .values(part.map((one) => ({ hour, ...one })))
      .onConflict((conflict) => conflict.columns(['hour', 'armId']).doUpdateSet({ mean: sql`excluded.mean` }))
      .execute();
  }
}

/** Returns the notes of a span of time in order; `hours` are counted from the epoch, the end is excluded. */
export async function readMeans(
  db: Kysely<Database>,
  { since, until }: { readonly since?: number | undefined; readonly until?: number | undefined } = {},
): Promise<Array<{ hour: number; armId: string; mean: number }>> {
  return db
    .selectFrom('gateway_mean')
    .selectAll()
    .$if(since !== undefined, (query) => query.where('hour', '>=', since!))
    .$if(until !== undefined, (query) => query.where('hour', '<', until!))
    .orderBy('hour')
    .orderBy('armId')
    .execute();
}

/** Returns the arms that ever had a mean. */
export async function notedArms(db: Kysely<Database>): Promise<string[]> {
  const rows = await db.selectFrom('gateway_mean').select('armId').distinct().execute();
  return rows.map(({ armId }) => armId);
}
