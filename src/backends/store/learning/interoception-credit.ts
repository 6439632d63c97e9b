import { type Kysely, sql } from 'kysely';
import type { Database } from '../schema.js';

/** Credit by arm: what was added to alpha and to beta. */
export type CreditShares = Readonly<Record<string, readonly [alpha: number, beta: number]>>;

export interface GivenCredit {
  /** Version of the credit learner's partition when it was given. */
  readonly version: number;
  readonly deltas: CreditShares;
}

/** Removes and returns the credit that one feedback gave. */
export async function takeCredit(
  db: Kysely<Database>,
  { query_id, source }: { readonly query_id: string; readonly source: string },
): Promise<GivenCredit | undefined> {
  const row = await db
    .deleteFrom('feedback_credit')
    .where('query_id', '=', query_id)
    .where('source', '=', source)
    .returning(['version', 'deltas'])
    .executeTakeFirst();
  return row === undefined ? undefined : { version: row.version, deltas: JSON.parse(row.deltas) as CreditShares };
}

export async function putCredit(
  db: Kysely<Database>,
  { query_id, source }: { readonly query_id: string; readonly source: string },
  given: GivenCredit,
): Promise<void> {
  await db
    .insertInto('feedback_credit')
    .values({ query_id, source, version: given.version, deltas: JSON.stringify(given.deltas) })
    .onConflict((conflict) =>
      conflict
        .columns(['query_id', 'source'])
        .doUpdateSet({ version: sql`excluded.version`, deltas: sql`excluded.deltas` }),
    )
    .execute();
}
