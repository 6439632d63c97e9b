import { type Kysely, sql } from 'kysely';
import type { Columns } from '../../columns.js';
import type { Migration } from '../../engine/migration.js';

/** The text index: documents, per-domain statistics, posting lists and the log that readers follow. */
export const textTables: Migration = {
  name: '002-text',
  async up(db, columns) {
    await createMeta(db, columns);
    await db.schema
      .createTable('text_domain')
      .addColumn('num', 'integer', (column) => column.primaryKey())
      .addColumn('name', columns.id, (column) => column.notNull().unique())
      .addColumn('documents', columns.big, (column) => column.notNull())
      .addColumn('length', columns.big, (column) => column.notNull())
      .addColumn('version', columns.big, (column) => column.notNull())
      .execute();
    await db.schema.createIndex('text_domain_version').on('text_domain').column('version').execute();
    await db.schema
      .createTable('text_doc')
      .addColumn('ref', columns.big, (column) => column.primaryKey())
      .addColumn('id', columns.id, (column) => column.notNull().unique())
      .addColumn('domain', 'integer', (column) => column.notNull())
      .addColumn('length', 'integer', (column) => column.notNull())
      .addColumn('mark', columns.big, (column) => column.notNull())
      .execute();
    await db.schema
      .createTable('text_log')
      .addColumn('version', columns.big, (column) => column.primaryKey())
      .addColumn('stamp', columns.big, (column) => column.notNull())
      .addColumn('parent', columns.big, (column) => column.notNull())
      .addColumn('keys', 'text')
      .addColumn('adds', columns.blob)
      .addColumn('dead', columns.blob)
      .execute();
    await db.schema
      .createTable('text_dead')
      .addColumn('version', columns.big, (column) => column.primaryKey())
      .addColumn('refs', columns.blob, (column) => column.notNull())
      .execute();
    // On SQLite the rows live in the key's own tree: a term's lists lie together and the key is stored once.
    const segment = db.schema
      .createTable('text_segment')
      .addColumn('domain', 'integer', (column) => column.notNull())
      .addColumn('term', columns.id, (column) => column.notNull())
      .addColumn('bucket', 'integer', (column) => column.notNull())
      .addColumn('data', columns.blob, (column) => column.notNull())
      .addPrimaryKeyConstraint('text_segment_pk', ['domain', 'term', 'bucket']);
    await (columns.dialect === 'sqlite' ? segment.modifyEnd(sql`without rowid`) : segment).execute();
  },
};

async function createMeta(db: Kysely<unknown>, columns: Columns): Promise<void> {
  const numbers = ['version', 'stamp', 'parent', 'last_ref', 'flushed', 'pending', 'pending_writes', 'dead'];
  let table = db.schema.createTable('text_meta').addColumn('id', 'integer', (column) => column.primaryKey());
  for (const name of numbers) table = table.addColumn(name, columns.big, (column) => column.notNull().defaultTo(0));
  await table.execute();
  await sql`insert into text_meta (id) values (1)`.execute(db);
}
