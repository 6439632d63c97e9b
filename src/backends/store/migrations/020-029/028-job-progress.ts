import type { Migration } from '../../engine/migration.js';

/** How far a file of a job is while it is worked on, and which files of a job's directories are gone. */
export const jobProgress: Migration = {
  name: '028-job-progress',
  async up(db) {
    await db.schema.alterTable('job').addColumn('gone', 'text').execute();
    await db.schema.alterTable('job_file').addColumn('progress', 'text').execute();
  },
};
