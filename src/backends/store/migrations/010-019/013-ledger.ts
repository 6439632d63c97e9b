import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { recountSessionKeys } from '../../../../ledger/write/session-keys.js';
import type { Migration } from '../../engine/migration.js';
import type { Database } from '../../schema.js';

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
    await db.schema.alterTable('domain').addColumn('created', 'integer').execute();
    // No record says whether an older domain was created by name; one without sources, or with a description, was.
    await sql`update domain set created = 1 where description <> ''
      or not exists (select 1 from source where source.domain = domain.ref)`.execute(db);
    const sessionKey = db.schema
      .createTable('session_key')
      .addColumn('source', columns.big, (c) => c.notNull())
      .addColumn('key', columns.big, (c) => c.notNull())
      .addColumn('passages', 'integer', (c) => c.notNull())
      .addPrimaryKeyConstraint('session_key_pk', ['source', 'key']);
    await (columns.dialect === 'sqlite' ? sessionKey.modifyEnd(sql`without rowid`) : sessionKey).execute();
    await recountSessionKeys(db as Kysely<Database>);
    // Their form is another one now; topologies are read whole at the start.
    await sql`delete from graph_change`.execute(db);
  },
};
