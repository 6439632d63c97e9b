import type { Migration } from '../../engine/migration.js';

/** Records that an engine which follows the ledger refused. */
export const refusals: Migration = {
  name: '022-refusals',
  async up(db, columns) {
    await db.schema
      .createTable('engine_refusal')
      .addColumn('engine', columns.id, (c) => c.notNull())
      .addColumn('kind', columns.id, (c) => c.notNull())
      .addColumn('name', columns.id, (c) => c.notNull())
      .addColumn('id', 'text', (c) => c.notNull())
      .addColumn('error', 'text', (c) => c.notNull())
      .addColumn('at', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('engine_refusal_name', ['engine', 'kind', 'name'])
      .execute();
  },
};
