import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Migration } from './migration.js';

/** The change log that engines follow: who the ledger is, and how much of the log is kept. */
export const ledgerTables: Migration = {
  name: '013-ledger',
  async up(db, columns) {
    const meta = db.schema.alterTable('graph_meta');
    await meta.addColumn('ledger', 'text', (c) => c.notNull().defaultTo('')).execute();
    await db.schema
      .alterTable('graph_meta')
      .addColumn('change_bytes', columns.big, (c) => c.notNull().defaultTo(0))
      .execute();
    await db.schema
      .alterTable('graph_meta')
      .addColumn('change_count', columns.big, (c) => c.notNull().defaultTo(0))
      .execute();
    await sql`update graph_meta set ledger = ${randomUUID()} where id = 1`.execute(db);
    // Their form is another one now; topologies are read whole at the start.
    await sql`delete from graph_change`.execute(db);
  },
};
