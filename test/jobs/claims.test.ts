import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { openSqlite } from '../../src/backends/store/engine/sqlite.js';
import { claimFile, listFiles, renewClaims } from '../../src/backends/store/jobs/files.js';
import { addJob, listJobs, pruneJobs, readJob } from '../../src/backends/store/jobs/jobs.js';
import { readUpload } from '../../src/backends/store/jobs/uploads.js';
import type { Store } from '../../src/backends/store/scope.js';
import { IngestJobs } from '../../src/ingest/jobs/ingest-jobs.js';
import type { JobWorkers } from '../../src/ingest/jobs/job-workers.js';

const TTL = 30_000;
let store: Store;
beforeEach(async () => {
  store = await openSqlite(':memory:');
});
afterEach(() => store.close());

const add = (id: string, files: readonly string[]) =>
  store.write(({ db }) =>
    addJob(db, {
      id,
      owner: 'someone',
      idempotency_key: null,
      request_hash: id,
      domain: 'notes',
      source_type: null,
      host: null,
      uploads: 1,
      files,
      skipped: [],
      now: 0,
    }),
  );
const claim = (holder: string, now: number) =>
  store.write(({ db }) => claimFile(db, { holder, host: 'here', ttl: TTL, now }));

it('lets the claim on a file run out that its holder does not work on any more', async () => {
  await add('one', ['a.md', 'b.md']);
  const [first, second] = [await claim('busy', 0), await claim('busy', 0)];
  expect([first?.path, second?.path]).toEqual(['a.md', 'b.md']);
  // The end of the first could not be noted.
  for (const now of [20_000, 40_000]) {
    await store.write(({ db }) => renewClaims(db, [second!], { holder: 'busy', ttl: TTL, now }));
  }
  expect(await claim('other', 45_000)).toMatchObject({ path: 'a.md', attempts: 2 });
  expect(await claim('other', 45_000)).toBeUndefined();
});

it('keeps the uploads of a job that was made, whatever fails afterwards', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'svc-claims-'));
  const file = join(directory, 'a.md');
  writeFileSync(file, 'text');
  const workers = {
    wake: () => {
      throw new Error('no room for workers');
    },
  } as unknown as JobWorkers;
  const options = { clock: () => 0, roots: [], host: 'here', retentionDays: 1, retentionRows: 1 };
  const jobs = new IngestJobs(store, workers, options);
  const uploads = [{ temporary_path: file, file_name: 'a.md' }];
  const made = jobs.create({ domain: 'notes', uploads, owner: 'someone', anywhere: false });
  await expect(made).rejects.toThrow('no room for workers');
  const [job] = await listJobs(store.db, { limit: 1 });
  expect((await readUpload(store.db, job!.id, 0))?.toString()).toBe('text');
  rmSync(directory, { recursive: true });
});

it('prunes a finished job, and none that was put back to work since the jobs were listed', async () => {
  for (const id of ['retried', 'finished']) {
    await add(id, ['a.md']);
    await store.write(({ db }) =>
      db.updateTable('job').set({ state: 'cancelled', finished_ms: 1 }).where('id', '=', id).execute(),
    );
  }
  // Stands for the retry of another process between the list and the removal.
  await store.write(({ db }) =>
    sql`create trigger retry after delete on job when old.id = 'finished'
      begin update job set state = 'queued' where id = 'retried'; end`.execute(db),
  );
  expect(await store.write(({ db }) => pruneJobs(db, { before: 0, keep: 0 }))).toBe(1);
  expect(await readJob(store.db, 'finished')).toBeUndefined();
  const kept = await readJob(store.db, 'retried');
  expect(kept).toMatchObject({ state: 'queued' });
  expect(await listFiles(store.db, kept!.ref, { after: -1, limit: 10 })).toHaveLength(1);
});
