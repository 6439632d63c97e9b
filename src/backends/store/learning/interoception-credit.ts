import { type Kysely, sql } from 'kysely';
import type { Database } from '../schema.js';

/** Credit by arm: what was added to alpha and to beta. */
export type CreditShares = Readonly<Record<string, readonly [alpha: number, beta: number]>>;
/** The shares that the rating of each item gave, by item. */
export type ItemShares = Readonly<Record<string, CreditShares>>;

export interface GivenCredit {
  /** Version of the credit learner's partition when it was given. */
  readonly version: number;
  readonly shares: ItemShares;
}

/** Stands for the items of credit that was given before it was kept by item. */
export const UNKNOWN_ITEM = '';

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
  return row === undefined ? undefined : { version: row.version, shares: sharesIn(row.deltas) };
}

export async function putCredit(
  db: Kysely<Database>,
  { query_id, source }: { readonly query_id: string; readonly source: string },
  { version, shares }: GivenCredit,
): Promise<void> {
  await db
    .insertInto('feedback_credit')
    .values({ query_id, source, version, deltas: JSON.stringify(shares) })
    .onConflict((conflict) =>
      conflict
        .columns(['query_id', 'source'])
        .doUpdateSet({ version: sql`excluded.version`, deltas: sql`excluded.deltas` }),
    )
    .execute();
}

/** Reads shares by item; earlier releases kept those of all items as one. */
function sharesIn(json: string): ItemShares {
  const read = JSON.parse(json) as ItemShares | CreditShares;
  const isOne = Object.values(read).some((value) => Array.isArray(value));
  return isOne ? { [UNKNOWN_ITEM]: read as CreditShares } : (read as ItemShares);
}
