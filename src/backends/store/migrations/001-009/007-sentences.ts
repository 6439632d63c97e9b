import type { Migration } from '../../engine/migration.js';

export const sentencesTables: Migration = {
  name: '007-sentences',
  async up(db, columns) {
    await db.schema
      .createTable('sentence_vector')
      .addColumn('id', columns.id, (c) => c.notNull())
      .addColumn('model', columns.id, (c) => c.notNull())
      .addColumn('data', columns.blob, (c) => c.notNull())
      .addPrimaryKeyConstraint('sentence_vector_pk', ['id', 'model'])
      .execute();
  },
};
