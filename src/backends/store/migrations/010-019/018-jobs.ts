import type { Migration } from '../../engine/migration.js';

/** Jobs that callers asked for, the files of each, and the bytes of files that came with the request. */
export const jobTables: Migration = {
  name: '018-jobs',
  async up(db, { big, blob, id, serial, serialKey }) {
    await db.schema
      .createTable('job')
      .addColumn('ref', serial, serialKey)
      .addColumn('id', id, (c) => c.notNull().unique())
      .addColumn('owner', id, (c) => c.notNull())
      .addColumn('idempotency_key', id)
      .addColumn('request_hash', id, (c) => c.notNull())
      .addColumn('state', id, (c) => c.notNull())
      .addColumn('domain', id, (c) => c.notNull())
      .addColumn('source_type', id)
      .addColumn('host', id)
      .addColumn('uploads', 'integer', (c) => c.notNull())
      .addColumn('files_total', 'integer', (c) => c.notNull())
      .addColumn('files_done', 'integer', (c) => c.notNull())
      .addColumn('files_unchanged', 'integer', (c) => c.notNull())
      .addColumn('files_failed', 'integer', (c) => c.notNull())
      .addColumn('files_skipped', 'integer', (c) => c.notNull())
      .addColumn('passages', big, (c) => c.notNull())
      .addColumn('created_ms', big, (c) => c.notNull())
      .addColumn('started_ms', big)
      .addColumn('finished_ms', big)
      .addColumn('claimed_ms', big, (c) => c.notNull())
      .addUniqueConstraint('job_idempotency_key', ['owner', 'idempotency_key'])
      .execute();
    await db.schema.createIndex('job_state').on('job').columns(['state', 'claimed_ms']).execute();
    await db.schema
      .createTable('job_file')
      .addColumn('job', big, (c) => c.notNull())
      .addColumn('number', 'integer', (c) => c.notNull())
      .addColumn('path', 'text', (c) => c.notNull())
      .addColumn('state', id, (c) => c.notNull())
      .addColumn('holder', id)
      .addColumn('expires_ms', big, (c) => c.notNull())
      .addColumn('not_before_ms', big, (c) => c.notNull())
      .addColumn('attempts', 'integer', (c) => c.notNull())
      .addColumn('finished_ms', big)
      .addColumn('result', 'text')
      .addColumn('error', 'text')
      .addPrimaryKeyConstraint('job_file_number', ['job', 'number'])
      .execute();
    await db.schema.createIndex('job_file_state').on('job_file').columns(['job', 'state', 'number']).execute();
    await db.schema.createIndex('job_file_finished').on('job_file').columns(['job', 'finished_ms']).execute();
    await db.schema
      .createTable('job_upload')
      .addColumn('job_id', id, (c) => c.notNull())
      .addColumn('number', 'integer', (c) => c.notNull())
      .addColumn('part', 'integer', (c) => c.notNull())
      .addColumn('created_ms', big, (c) => c.notNull())
      .addColumn('body', blob, (c) => c.notNull())
      .addPrimaryKeyConstraint('job_upload_part', ['job_id', 'number', 'part'])
      .execute();
  },
};
