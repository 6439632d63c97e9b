import type { Migration } from '../../engine/migration.js';

/** What the items of each answer were ranked by, and the weights that each domain learned from feedback. */
export const domainRankers: Migration = {
  name: '023-domain-rankers',
  async up(db, { id, big, blob }) {
    await db.schema.alterTable('query_log').addColumn('features', blob).execute();
    await db.schema
      .createTable('domain_ranker')
      .addColumn('domain', id, (c) => c.primaryKey())
      .addColumn('rated', big, (c) => c.notNull())
      .addColumn('fitted', big, (c) => c.notNull())
      .addColumn('basis', 'text')
      .addColumn('weights', 'text')
      .addColumn('questions', 'integer', (c) => c.notNull())
      .addColumn('fitted_at', big)
      .execute();
    await db.schema.createIndex('feedback_recent').on('feedback').columns(['domain', 'at', 'query_id']).execute();
    await db.schema.dropIndex('feedback_domain').execute();
  },
};
