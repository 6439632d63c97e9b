import { sql } from 'kysely';
import type { Migration } from '../../engine/migration.js';

/** Finds the files of a domain that have the same name. */
export const fileLabels: Migration = {
  name: '026-file-labels',
  async up(db) {
    await sql`create index file_by_label on source (domain, label) where kind = 'file'`.execute(db);
  },
};
