import type { Kysely } from 'kysely';
import type { Database } from '../../store/schema.js';
import type { Store } from '../../store/scope.js';

/** Where an unfinished migration stands. */
export interface Cursor {
  /** Indexes whose rows are all copied. */
  readonly done: readonly string[];
  readonly index?: string;
  /** The last id copied of `index`. */
  readonly after?: string;
}

const START: Cursor = { done: [] };

export async function readCursor(db: Kysely<Database>, id: string): Promise<Cursor> {
  const row = await db.selectFrom('vector_migration').select('state').where('id', '=', id).executeTakeFirst();
  return row === undefined ? START : (JSON.parse(row.state) as Cursor);
}

export async function writeCursor(store: Store, id: string, cursor: Cursor): Promise<void> {
  const row = { state: JSON.stringify(cursor), updated_at: new Date().toISOString() };
  await store.write(async ({ db }) => {
    await db
      .insertInto('vector_migration')
      .values({ id, ...row })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
      .execute();
  });
}

export async function removeCursor(store: Store, id: string): Promise<void> {
  await store.write(async ({ db }) => {
    await db.deleteFrom('vector_migration').where('id', '=', id).execute();
  });
}
