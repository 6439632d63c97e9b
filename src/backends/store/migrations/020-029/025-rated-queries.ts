import { sql } from 'kysely';
import type { Migration } from '../../engine/migration.js';

/** Which questions of the log ever got feedback, so that a question counts once in the share of rated ones. */
export const ratedQueries: Migration = {
  name: '025-rated-queries',
  async up(db) {
    await db.schema
      .alterTable('query_log')
      .addColumn('rated', 'integer', (c) => c.notNull().defaultTo(sql`0`))
      .execute();
    await sql`update query_log set rated = 1 where query_id in (select query_id from feedback)`.execute(db);
  },
};
