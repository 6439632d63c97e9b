import type { Kysely } from 'kysely';
import type { Database } from '../../store/schema.js';
import type { Store } from '../../store/scope.js';

/** Where an unfinished import stands. */
export interface Cursor {
  /** Version of the source graph whose steps are counted. */
  readonly version: number;
  /** Steps that the destination has. */
  readonly done: number;
}

export async function readCursor(db: Kysely<Database>, id: string): Promise<Cursor | null> {
  const row = await db.selectFrom('graph_import').select('state').where('id', '=', id).executeTakeFirst();
  return row === undefined ? null : (JSON.parse(row.state) as Cursor);
}

export async function writeCursor(store: Store, id: string, cursor: Cursor): Promise<void> {
  const row = { state: JSON.stringify(cursor), updated_at: new Date().toISOString() };
  await store.write(async ({ db }) => {
    await db
      .insertInto('graph_import')
      .values({ id, ...row })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
      .execute();
  });
}

export async function removeCursor(store: Store, id: string): Promise<void> {
  await store.write(async ({ db }) => {
    await db.deleteFrom('graph_import').where('id', '=', id).execute();
  });
}
