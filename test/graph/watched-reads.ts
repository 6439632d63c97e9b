import type { Kysely } from 'kysely';
import type { Database } from '../../src/backends/store/schema.js';

/** A database that notes how many rows each statement returned. */
export function watchedReads(db: Kysely<Database>): { readonly db: Kysely<Database>; readonly rows: number[] } {
  const rows: number[] = [];
  const watched = db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      rows.push(result.rows.length);
      return result;
    },
  });
  return { db: watched, rows };
}
