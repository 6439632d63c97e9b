import type { Migration } from '../../engine/migration.js';

/** Lists a domain's sources by id a page at a time, without sorting all of them. */
export const sourcePages: Migration = {
  name: '024-source-pages',
  async up(db) {
    await db.schema.createIndex('source_by_domain').on('source').columns(['domain', 'id']).execute();
  },
};
