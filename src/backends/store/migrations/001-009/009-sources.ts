import type { Migration } from '../../engine/migration.js';

export const sourcesTables: Migration = {
  name: '009-sources',
  async up(db, columns) {
    await db.schema
      .createTable('relational_source')
      .addColumn('source_id', columns.id, (c) => c.primaryKey())
      .addColumn('connection', 'text', (c) => c.notNull())
      .addColumn('options', 'text', (c) => c.notNull())
      .addColumn('tables', 'text', (c) => c.notNull())
      .addColumn('created_at', 'text', (c) => c.notNull())
      .addColumn('updated_at', 'text', (c) => c.notNull())
      .execute();
    await db.schema
      .createTable('source_sync')
      .addColumn('source_id', columns.id, (c) => c.notNull())
      .addColumn('table_name', columns.id, (c) => c.notNull())
      .addColumn('run', 'integer', (c) => c.notNull())
      .addColumn('mode', 'text', (c) => c.notNull())
      .addColumn('domain', 'text', (c) => c.notNull())
      .addColumn('signature', 'text', (c) => c.notNull())
      .addColumn('position', 'text')
      .addColumn('rows_done', 'integer', (c) => c.notNull())
      .addColumn('finished', 'integer', (c) => c.notNull())
      .addColumn('high_water', 'text')
      .addPrimaryKeyConstraint('source_sync_pk', ['source_id', 'table_name'])
      .execute();
    await db.schema
      .createTable('source_row')
      .addColumn('source_id', columns.id, (c) => c.notNull())
      .addColumn('table_name', columns.id, (c) => c.notNull())
      .addColumn('row_key', columns.id, (c) => c.notNull())
      .addColumn('hash', 'text', (c) => c.notNull())
      .addColumn('run', 'integer', (c) => c.notNull())
      .addPrimaryKeyConstraint('source_row_pk', ['source_id', 'table_name', 'row_key'])
      .execute();
  },
};
