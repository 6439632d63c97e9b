import { getMaxListeners } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { openSqlite } from '../../src/backends/store/engine/sqlite.js';
import { claimFiles, renewClaims } from '../../src/backends/store/jobs/claims.js';
import { listFiles, releaseFile } from '../../src/backends/store/jobs/files.js';
import { notePresence } from '../../src/backends/store/jobs/hosts.js';
import { addJob, listJobs, pruneJobs, readJob } from '../../src/backends/store/jobs/jobs.js';
import { addUploadPart, readUpload } from '../../src/backends/store/jobs/uploads.js';
import type { Store } from '../../src/backends/store/scope.js';
import { SvcError } from '../../src/core/errors.js';
import type { Ingest } from '../../src/ingest/ingest.js';
import { IngestJobs } from '../../src/ingest/jobs/ingest-jobs.js';
import { JobWorkers } from '../../src/ingest/jobs/job-workers.js';
import { waitFor } from '../support/wait-for.js';

const TTL = 30_000;
const PATIENT = { timeout: 20_000 };
let store: Store;
beforeEach(async () => {
  store = await openSqlite(':memory:');
});
afterEach(() => store.close());

const add = (id: string, files: readonly string[], host: string | null = null) =>
  store.write(({ db }) =>
    addJob(db, {
      id,
      owner: 'someone',
      idempotency_key: null,
      request_hash: id,
      domain: 'notes',
      source_type: null,
      host,
      uploads: host === null ? 1 : 0,
      files,
      skipped: [],
      gone: null,
      now: 0,
    }),
  );
const claimed = (holder: string, now: number, most: number) =>
  store.write(({ db }) => claimFiles(db, { holder, host: 'here', ttl: TTL, now }, most));
const claim = async (holder: string, now: number) => (await claimed(holder, now, 1))[0];

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

it('takes several files of one job at once, and one that was begun before alone', async () => {
  await add('one', ['a.md', 'b.md', 'c.md', 'd.md', 'e.md']);
  await add('two', ['f.md']);
  const names = async (holder: string, now: number, most: number) =>
    (await claimed(holder, now, most)).map(({ path, attempts }) => `${path} ${attempts}`);
  expect(await names('ended', 1, 2)).toEqual(['a.md 1', 'b.md 1']);
  expect(await names('busy', 2, 8)).toEqual(['f.md 1']);
  // Who had the first two is gone; whichever of them ended it does not take the others with it.
  const later = 2 * TTL;
  expect(await names('busy', later, 8)).toEqual(['a.md 2']);
  expect(await names('other', later, 8)).toEqual(['f.md 2']);
  expect(await names('other', later, 8)).toEqual(['b.md 2']);
  expect(await names('other', later, 8)).toEqual(['c.md 1', 'd.md 1', 'e.md 1']);
  expect(await names('other', later, 8)).toEqual([]);
});

it('renews the claims on more files than one expression holds', async () => {
  const names = Array.from({ length: 1200 }, (_, i) => `${i}.md`);
  await add('one', names);
  const files = await claimed('busy', 0, names.length);
  await store.write(({ db }) => renewClaims(db, files, { holder: 'busy', ttl: TTL, now: 20_000 }));
  expect(await claim('other', 45_000)).toBeUndefined();
});

it('works on large files beside each other, and stays alive when the end of a file cannot be noted', async () => {
  const names = Array.from({ length: 20 }, (_, i) => `${i}.md`);
  await add('one', names);
  const body = (i: number) => (i < 12 ? Buffer.from('small') : Buffer.alloc(70 * 1024, 'large'));
  for (const [number] of names.entries())
    await store.write(({ db }) =>
      addUploadPart(db, { job_id: 'one', number, part: 0 }, { body: body(number), now: 0 }),
    );
  let [large, most, failures] = [0, 0, 1];
  const ingest = {
    uploaded: async ({ bytes }: { bytes: Uint8Array }) => {
      if (bytes.length < 100) return { source_id: 's', passages: 1, warnings: [] };
      large += 1;
      most = Math.max(most, large);
      await new Promise((resolve) => setTimeout(resolve, 50));
      large -= 1;
      return { source_id: 's', passages: 1, warnings: [] };
    },
    isWrittenSince: async () => false,
  } as unknown as Ingest;
  const errors: unknown[] = [];
  const write = store.write.bind(store);
  const failing: Store['write'] = (work, options) => {
    // Ends of files are the writes that must last.
    if (options?.durable === false || failures === 0) return write(work, options);
    failures -= 1;
    return Promise.reject(new Error('no room in memory'));
  };
  Object.assign(store, { write: failing });
  const options = {
    clock: Date.now,
    workers: 2,
    together: true,
    host: 'here',
    onError: (e: unknown) => errors.push(e),
  };
  const workers = new JobWorkers(store, ingest, options);
  workers.wake();
  await waitFor(() => expect(errors).toHaveLength(1), PATIENT);
  workers.wake();
  const done = async () => (await listFiles(store.db, 1, { after: -1, limit: 100, state: 'done' })).length;
  await waitFor(async () => expect(await done()).toBeGreaterThanOrEqual(names.length - 1), PATIENT);
  await workers.stop();
  expect(most).toBe(2);
});

it('lets as many listen for its end as it works on files at once', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'svc-claims-'));
  const names = Array.from({ length: 200 }, (_, i) => join(directory, `${i}.md`));
  for (const name of names) writeFileSync(name, 'text');
  const listeners = new Map<AbortSignal, { files: number; most: number }>();
  const ingest = {
    file: async (_path: string, domain: string, { signal }: { signal: AbortSignal }) => {
      const { files } = listeners.get(signal) ?? { files: 0 };
      listeners.set(signal, { files: files + 1, most: getMaxListeners(signal) });
      return { domain, passages: 1, source_id: 's', unchanged: true };
    },
  } as unknown as Ingest;
  await add('many', names, 'here');
  const options = { clock: () => 1000, workers: 1, together: true, host: 'here', onError: () => undefined };
  const workers = new JobWorkers(store, ingest, options);
  workers.wake();
  await waitFor(async () => expect((await readJob(store.db, 'many'))?.state).toBe('completed'), PATIENT);
  await workers.stop();
  expect([...listeners.values()].some(({ files }) => files > 10)).toBe(true);
  for (const { files, most } of listeners.values()) expect(most).toBeGreaterThan(files);
  rmSync(directory, { recursive: true });
});

it('begins a file again whose pause was noted while the clock was a day ahead', async () => {
  await add('one', ['a.md']);
  const day = 86_400_000;
  const first = await claim('worker', day);
  await store.write(({ db }) => releaseFile(db, first!, { holder: 'worker', now: day, delay: 2000, counts: true }));
  expect(await claim('worker', day + 1000)).toBeUndefined();
  expect(await claim('worker', 1000)).toMatchObject({ path: 'a.md', attempts: 2 });
});

it('leaves a job of another machine to it while a process of it is there, and takes it over when none is', async () => {
  await store.write(({ db }) => notePresence(db, 'renamed machine', 0));
  await add('theirs', ['a.md'], 'renamed machine');
  const present = 4 * 60_000;
  expect(await claim('worker', present)).toBeUndefined();
  await store.write(({ db }) => notePresence(db, 'renamed machine', present));
  expect(await claim('worker', present + 4 * 60_000)).toBeUndefined();
  expect(await claim('worker', present + 6 * 60_000)).toMatchObject({ path: 'a.md', host: 'renamed machine' });
});

it('reads a file of a job that was left over only below the roots of the machine that takes it over', async () => {
  const anywhere: Array<[string, boolean]> = [];
  const ingest = {
    file: (path: string, _domain: string, options: { anywhere: boolean }) => {
      anywhere.push([path, options.anywhere]);
      return Promise.reject(new SvcError('forbidden', `${path} lies outside.`));
    },
  } as unknown as Ingest;
  await add('ours', ['ours.md'], 'here');
  await add('left', ['left.md'], 'a machine that was renamed');
  const options = { clock: () => 1000, workers: 1, together: true, host: 'here', onError: () => undefined };
  const workers = new JobWorkers(store, ingest, options);
  workers.wake();
  await waitFor(() => expect(anywhere).toHaveLength(2), PATIENT);
  await waitFor(async () => expect((await readJob(store.db, 'left'))?.state).toBe('failed'), PATIENT);
  await workers.stop();
  expect(anywhere).toEqual([
    ['ours.md', true],
    ['left.md', false],
  ]);
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
  const goneFiles = async () => ({ total: 0, files: [] });
  const knownFiles = async () => new Set<string>();
  const options = {
    clock: () => 0,
    roots: [],
    host: 'here',
    retentionDays: 1,
    retentionRows: 1,
    goneFiles,
    knownFiles,
  };
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
