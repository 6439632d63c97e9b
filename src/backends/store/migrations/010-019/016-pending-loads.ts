import type { Migration } from '../../engine/migration.js';

/** Sources that are being written in several transactions, with what is still to be written of them. */
export const pendingLoads: Migration = {
  name: '016-pending-loads',
  async up(db, columns) {
    await db.schema
      .createTable('pending_load')
      .addColumn('source_id', columns.id, (c) => c.primaryKey())
      .addColumn('domain', columns.id, (c) => c.notNull())
      .addColumn('token', columns.id, (c) => c.notNull())
      .addColumn('complete', 'integer', (c) => c.notNull())
      .addColumn('created_at', 'text', (c) => c.notNull())
      .execute();
    await db.schema
      .createTable('pending_piece')
      .addColumn('token', columns.id, (c) => c.notNull())
      .addColumn('part', 'integer', (c) => c.notNull())
      .addColumn('body', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('pending_piece_part', ['token', 'part'])
      .execute();
  },
};
