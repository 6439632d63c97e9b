import type { Migration } from '../../engine/migration.js';

export const embeddingTables: Migration = {
  name: '005-embedding',
  async up(db, columns) {
    await db.schema
      .createTable('embedding_cache')
      .addColumn('id', columns.serial, columns.serialKey)
      .addColumn('model', columns.id, (c) => c.notNull())
      .addColumn('key', columns.id, (c) => c.notNull())
      .addColumn('vector', columns.blob, (c) => c.notNull())
      .addColumn('sentences', columns.blob, (c) => c.notNull())
      .addUniqueConstraint('embedding_cache_key', ['model', 'key'])
      .execute();
    await db.schema
      .createTable('embedding_model')
      .addColumn('name', columns.id, (c) => c.primaryKey())
      .addColumn('dimension', 'integer', (c) => c.notNull())
      .execute();
  },
};
