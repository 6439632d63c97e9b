import type { Migration } from '../../engine/migration.js';

/** Who asked each question of the log, so that a list of questions shows callers their own. */
export const queryOwner: Migration = {
  name: '021-query-owner',
  async up(db) {
    await db.schema.alterTable('query_log').addColumn('owner', 'text').execute();
  },
};
