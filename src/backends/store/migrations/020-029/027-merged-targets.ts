import { sql } from 'kysely';
import type { Migration } from '../../engine/migration.js';

/** Finds the merged and renamed concepts that a node stands for. */
export const mergedTargets: Migration = {
  name: '027-merged-targets',
  async up(db) {
    await sql`create index merged_node_target on merged_node (target)`.execute(db);
  },
};
