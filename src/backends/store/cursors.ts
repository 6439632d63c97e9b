import type { Kysely } from 'kysely';
import type { Database } from './schema.js';
import type { Store } from './scope.js';

type CursorTable = 'vector_migration';

/** The progress of unfinished work, by the id of the work: one row of JSON each, in a table of their own. */
export class Cursors<Cursor> {
  constructor(private readonly table: CursorTable) {}

  /** Returns the progress of the work; null where nothing is unfinished. */
  async read(db: Kysely<Database>, id: string): Promise<Cursor | null> {
    const row = await db.selectFrom(this.table).select('state').where('id', '=', id).executeTakeFirst();
    return row === undefined ? null : (JSON.parse(row.state) as Cursor);
  }

  async write(store: Store, id: string, cursor: Cursor): Promise<void> {
    const row = { state: JSON.stringify(cursor), updated_at: new Date().toISOString() };
    await store.write(async ({ db }) => {
      await db
        .insertInto(this.table)
        .values({ id, ...row })
        .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
        .execute();
    });
  }

  async remove(store: Store, id: string): Promise<void> {
    await store.write(async ({ db }) => {
      await db.deleteFrom(this.table).where('id', '=', id).execute();
    });
  }
}
