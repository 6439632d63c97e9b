import type { Migration } from '../../engine/migration.js';

export const queryLogTables: Migration = {
  name: '006-querylog',
  async up(db, columns) {
    const { big, blob, double, id } = columns;
    await db.schema
      .createTable('query_log')
      .addColumn('id', columns.serial, columns.serialKey)
      .addColumn('query_id', id, (c) => c.notNull().unique())
      .addColumn('at', big, (c) => c.notNull())
      .addColumn('text', 'text', (c) => c.notNull())
      .addColumn('question', id, (c) => c.notNull())
      .addColumn('domains', 'text', (c) => c.notNull())
      .addColumn('mode', 'text', (c) => c.notNull())
      .addColumn('model', 'text')
      .addColumn('vector', blob)
      .addColumn('items', 'text', (c) => c.notNull())
      .addColumn('paired', 'integer', (c) => c.notNull())
      .execute();
    await db.schema.createIndex('query_log_paired').on('query_log').columns(['paired', 'id']).execute();
    await db.schema
      .createTable('feedback')
      .addColumn('query_id', id, (c) => c.notNull())
      .addColumn('item_id', id, (c) => c.notNull())
      .addColumn('source', id, (c) => c.notNull())
      .addColumn('outcome', 'text', (c) => c.notNull())
      .addColumn('at', big, (c) => c.notNull())
      .addColumn('question', id, (c) => c.notNull())
      .addColumn('domain', id, (c) => c.notNull())
      .addColumn('source_id', id, (c) => c.notNull())
      .addPrimaryKeyConstraint('feedback_pk', ['query_id', 'item_id', 'source'])
      .execute();
    await db.schema.createIndex('feedback_item').on('feedback').columns(['item_id', 'question']).execute();
    await db.schema.createIndex('feedback_domain').on('feedback').columns(['domain']).execute();
    await db.schema.createIndex('feedback_source').on('feedback').columns(['source_id']).execute();
    await db.schema
      .createTable('counter')
      .addColumn('name', id, (c) => c.primaryKey())
      .addColumn('value', big, (c) => c.notNull())
      .execute();
    await db.schema
      .createTable('feedback_edge')
      .addColumn('query_id', id, (c) => c.notNull())
      .addColumn('source', id, (c) => c.notNull())
      .addColumn('edge_id', id, (c) => c.notNull())
      .addColumn('target', double, (c) => c.notNull())
      .addColumn('at', big, (c) => c.notNull())
      .addColumn('domain', id, (c) => c.notNull())
      .addPrimaryKeyConstraint('feedback_edge_pk', ['query_id', 'source', 'edge_id'])
      .execute();
    await db.schema.createIndex('feedback_edge_edge').on('feedback_edge').columns(['edge_id']).execute();
    await db.schema
      .createTable('edge_factor')
      .addColumn('edge_id', id, (c) => c.primaryKey())
      .addColumn('domain', id, (c) => c.notNull())
      .addColumn('factor', double, (c) => c.notNull())
      .addColumn('at', big, (c) => c.notNull())
      .addColumn('base', double, (c) => c.notNull())
      .addColumn('base_at', big, (c) => c.notNull())
      .addColumn('events', 'integer', (c) => c.notNull())
      .addColumn('version', big, (c) => c.notNull())
      .execute();
    await db.schema.createIndex('edge_factor_version').on('edge_factor').columns(['version']).execute();
    await db.schema
      .createTable('item_prior')
      .addColumn('item_id', id, (c) => c.notNull())
      .addColumn('question', id, (c) => c.notNull())
      .addColumn('domain', id, (c) => c.notNull())
      .addColumn('source_id', id, (c) => c.notNull())
      .addColumn('text', 'text', (c) => c.notNull())
      .addColumn('model', 'text')
      .addColumn('vector', blob)
      .addColumn('factor', double, (c) => c.notNull())
      .addColumn('at', big, (c) => c.notNull())
      .addColumn('base', double, (c) => c.notNull())
      .addColumn('base_at', big, (c) => c.notNull())
      .addColumn('events', 'integer', (c) => c.notNull())
      .addColumn('version', big, (c) => c.notNull())
      .addPrimaryKeyConstraint('item_prior_pk', ['item_id', 'question'])
      .execute();
    await db.schema.createIndex('item_prior_version').on('item_prior').columns(['version']).execute();
    await db.schema
      .createTable('feedback_credit')
      .addColumn('query_id', id, (c) => c.notNull())
      .addColumn('source', id, (c) => c.notNull())
      .addColumn('version', big, (c) => c.notNull())
      .addColumn('deltas', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('feedback_credit_pk', ['query_id', 'source'])
      .execute();
    await db.schema
      .createTable('pair_buffer')
      .addColumn('first_id', id, (c) => c.notNull())
      .addColumn('second_id', id, (c) => c.notNull())
      .addColumn('domain', id, (c) => c.notNull())
      .addColumn('sightings', 'integer', (c) => c.notNull())
      .addColumn('similarity', double, (c) => c.notNull())
      .addColumn('promoted_at', big)
      .addColumn('updated_at', big, (c) => c.notNull())
      .addPrimaryKeyConstraint('pair_buffer_pk', ['first_id', 'second_id'])
      .execute();
  },
};
