import type { Migration } from '../../engine/migration.js';

/** Which text was rated; null in rows from before, which count for whatever the item reads like. */
export const ratedTexts: Migration = {
  name: '012-rated-texts',
  async up(db) {
    for (const table of ['feedback', 'item_prior'] as const) {
      await db.schema.alterTable(table).addColumn('text_hash', 'text').execute();
    }
    await db.schema.createIndex('edge_factor_domain').on('edge_factor').columns(['domain']).execute();
    await db.schema.createIndex('feedback_edge_domain').on('feedback_edge').columns(['domain']).execute();
    await db.schema.createIndex('pair_buffer_second').on('pair_buffer').columns(['second_id']).execute();
  },
};
