import type { Kysely } from 'kysely';
import type { Database } from '../../src/backends/store/schema.js';

/** A database that notes how many rows each statement returned; with a member only of those whose rows have it. */
export function watchedReads(
  db: Kysely<Database>,
  member?: string,
): { readonly db: Kysely<Database>; readonly rows: number[] } {
  const rows: number[] = [];
  const watched = db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      const [first] = result.rows;
      if (member === undefined || (first !== undefined && member in first)) rows.push(result.rows.length);
      return result;
    },
  });
  return { db: watched, rows };
}
