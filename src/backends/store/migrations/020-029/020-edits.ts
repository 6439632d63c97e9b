import type { Migration } from '../../engine/migration.js';

/** The log of what people changed by hand, messages that it hides, and its marks on edges and rules. */
export const editTables: Migration = {
  name: '020-edits',
  async up(db, { big, id, serial, serialKey }) {
    await db.schema
      .createTable('edit')
      .addColumn('ref', serial, serialKey)
      .addColumn('id', id, (c) => c.notNull().unique())
      .addColumn('domain', big, (c) => c.notNull())
      .addColumn('type', id, (c) => c.notNull())
      .addColumn('target', id, (c) => c.notNull())
      .addColumn('other', id)
      .addColumn('body', 'text', (c) => c.notNull())
      .addColumn('before', 'text', (c) => c.notNull())
      .addColumn('created_at', 'text', (c) => c.notNull())
      .addColumn('undone_at', 'text')
      .execute();
    await db.schema.createIndex('edit_target').on('edit').columns(['domain', 'target']).execute();
    await db.schema.createIndex('edit_other').on('edit').columns(['domain', 'other']).execute();
    await db.schema
      .createTable('removed_message')
      .addColumn('source_id', id, (c) => c.notNull())
      .addColumn('identity', id, (c) => c.notNull())
      .addColumn('turn', 'integer', (c) => c.notNull())
      .addColumn('domain', id, (c) => c.notNull())
      .addColumn('body', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('removed_message_pk', ['source_id', 'identity'])
      .execute();
    await db.schema.alterTable('edge').addColumn('edit', 'text').execute();
    await db.schema.alterTable('rule').addColumn('edit', 'text').execute();
  },
};
