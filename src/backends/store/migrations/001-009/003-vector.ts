import type { Migration } from '../../engine/migration.js';

/** Vector indexes, their rows (the truth behind the in-memory search) and the cursor of a migration between engines. */
export const vector: Migration = {
  name: '003-vector',
  async up(db, columns) {
    await db.schema
      .createTable('vector_index')
      .addColumn('id', columns.serial, columns.serialKey)
      .addColumn('name', columns.id, (column) => column.notNull().unique())
      .addColumn('dimension', 'integer', (column) => column.notNull())
      .addColumn('metric', 'text', (column) => column.notNull())
      .addColumn('version', columns.big, (column) => column.notNull().defaultTo(0))
      .execute();
    await db.schema
      .createTable('vector_row')
      .addColumn('ref', columns.serial, columns.serialKey)
      .addColumn('index_id', columns.big, (column) => column.notNull())
      .addColumn('id', columns.id, (column) => column.notNull())
      .addColumn('partition', columns.id, (column) => column.notNull())
      .addColumn('metadata', 'text', (column) => column.notNull())
      .addColumn('document', 'text')
      .addColumn('norm', columns.double, (column) => column.notNull())
      .addColumn('vector', columns.blob, (column) => column.notNull())
      .execute();
    await db.schema.createIndex('vector_row_id').on('vector_row').columns(['index_id', 'id']).unique().execute();
    await db.schema.createIndex('vector_row_ref').on('vector_row').columns(['index_id', 'ref']).execute();
    await db.schema
      .createTable('vector_migration')
      .addColumn('id', columns.id, (column) => column.primaryKey())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('updated_at', 'text', (column) => column.notNull())
      .execute();
  },
};
