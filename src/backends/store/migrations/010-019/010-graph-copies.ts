import type { Migration } from '../../engine/migration.js';

export const graphCopies: Migration = {
  name: '010-graph-copies',
  async up(db, columns) {
    await db.schema
      .alterTable('graph_checkpoint')
      .addColumn('kind', 'text', (c) => c.notNull().defaultTo('embedded'))
      .execute();
    await db.schema
      .createTable('graph_import')
      .addColumn('id', columns.id, (c) => c.primaryKey())
      .addColumn('state', 'text', (c) => c.notNull())
      .addColumn('updated_at', 'text', (c) => c.notNull())
      .execute();
  },
};
