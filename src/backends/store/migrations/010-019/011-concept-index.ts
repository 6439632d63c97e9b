import type { Migration } from '../../engine/migration.js';

export const conceptIndexTables: Migration = {
  name: '011-concept-index',
  async up(db, columns) {
    await db.schema
      .createTable('concept_index')
      .addColumn('id', 'integer', (c) => c.primaryKey())
      .addColumn('state', 'text', (c) => c.notNull())
      .execute();
    await db.schema
      .createTable('vector_pending')
      .addColumn('seq', columns.serial, columns.serialKey)
      .addColumn('index_name', columns.id, (c) => c.notNull())
      .addColumn('node_id', columns.id, (c) => c.notNull())
      .execute();
  },
};
