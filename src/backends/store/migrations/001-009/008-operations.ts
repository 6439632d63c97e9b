import type { Migration } from '../../engine/migration.js';

export const operationsTables: Migration = {
  name: '008-operations',
  async up(db, columns) {
    await db.schema
      .createTable('outbox')
      .addColumn('id', columns.serial, columns.serialKey)
      .addColumn('kind', 'text', (c) => c.notNull())
      .addColumn('payload', 'text', (c) => c.notNull())
      .addColumn('created_at', 'text', (c) => c.notNull())
      .execute();
    await db.schema
      .createTable('lease')
      .addColumn('name', columns.id, (c) => c.primaryKey())
      .addColumn('holder', 'text', (c) => c.notNull())
      .addColumn('expires_at', columns.big, (c) => c.notNull())
      .execute();
    await db.schema
      .createTable('session_message')
      .addColumn('source_id', columns.id, (c) => c.notNull())
      .addColumn('identity', columns.id, (c) => c.notNull())
      .addColumn('turn', 'integer', (c) => c.notNull())
      .addPrimaryKeyConstraint('session_message_pk', ['source_id', 'identity'])
      .execute();
  },
};
