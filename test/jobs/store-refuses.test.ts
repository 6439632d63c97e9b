import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openSqlite } from '../../src/backends/store/engine/sqlite.js';
import { storageProblem } from '../../src/backends/store/engine/storage-problem.js';
import { listFiles } from '../../src/backends/store/jobs/files.js';
import { addJob, readJob } from '../../src/backends/store/jobs/jobs.js';
import type { Store } from '../../src/backends/store/scope.js';
import type { SvcError } from '../../src/core/errors.js';
import type { Ingest } from '../../src/ingest/ingest.js';
import { JobWorkers } from '../../src/ingest/jobs/job-workers.js';
import { StoreWaits } from '../../src/ingest/jobs/store-waits.js';
import { until } from './notes.js';

const FULL = storageProblem({ code: 'ENOSPC' }) as SvcError;
const file = (number: number) => ({ job: 1, number });

describe('what jobs wait for', () => {
  let now: number;
  let waits: StoreWaits;
  beforeEach(() => {
    now = 1000;
    waits = new StoreWaits(() => now);
  });

  it('is for longer with each refusal in a row, and as long again once the store took something new', () => {
    const delays = Array.from({ length: 7 }, () => {
      const delay = waits.refused(file(0), FULL)!;
      now += delay;
      return delay;
    });
    expect(delays).toEqual([2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
    waits.took(file(1), { isNew: false });
    expect(waits.refused(file(0), FULL)).toBe(30_000);
    waits.took(file(1), { isNew: true });
    expect(waits.refused(file(2), FULL)).toBe(2000);
  });

  it('is one refusal where files are refused side by side', () => {
    expect([waits.refused(file(0), FULL), waits.refused(file(1), FULL)]).toEqual([2000, 2000]);
  });

  it('is no wait for the store where it takes others and refuses one file', () => {
    waits.refused(file(0), FULL);
    waits.took(file(1), { isNew: true });
    expect([waits.refused(file(0), FULL), waits.refused(file(0), FULL)]).toEqual([undefined, undefined]);
    waits.clear(1);
    expect(waits.refused(file(0), FULL)).toBe(2000);
  });

  it('is one for the store again where it refuses another file too', () => {
    waits.refused(file(0), FULL);
    waits.took(file(1), { isNew: true });
    expect(waits.refused(file(0), FULL)).toBeUndefined();
    expect([waits.refused(file(2), FULL), waits.refused(file(0), FULL)]).toEqual([2000, 2000]);
  });

  it('is not named any more once the job goes on for some seconds after the last refusal', () => {
    waits.note(1, FULL);
    now += 4000;
    waits.progressed(1);
    expect(waits.problemOf(1)).toBe(FULL.message);
    waits.note(1, FULL);
    now += 4000;
    waits.progressed(1);
    expect(waits.problemOf(1)).toBe(FULL.message);
    now += 2000;
    waits.progressed(1);
    expect(waits.problemOf(1)).toBeUndefined();
  });

  it('is what keeps the store from giving files out, until it gives one', () => {
    waits.claimed(FULL);
    expect(waits.problemOf(7)).toBe(FULL.message);
    waits.claimed(undefined);
    expect(waits.problemOf(7)).toBeUndefined();
  });
});

describe('a job whose store refuses files', () => {
  let store: Store;
  let workers: JobWorkers;
  beforeEach(async () => {
    store = await openSqlite(':memory:');
  });
  afterEach(async () => {
    await workers.stop();
    await store.close();
  });

  const result = { domain: 'notes', source: 'a', source_id: 'a', concepts: 0, edges: 0, rules: 0, passages: 1 };
  const loaded = { ...result, warnings: [] };
  /** Makes a job of these files and begins it; `load` stands for the ingest of one. */
  const begin = async (files: readonly string[], load: Ingest['file']) => {
    const host = 'here';
    const row = await store.write(({ db }) =>
      addJob(db, {
        ...{ id: 'one', owner: 'someone', idempotency_key: null, request_hash: 'one', domain: 'notes' },
        ...{ source_type: null, host, uploads: 0, files, skipped: [], gone: null, now: Date.now() },
      }),
    );
    const options = { clock: Date.now, workers: 1, together: true, host, onError: () => undefined };
    workers = new JobWorkers(store, { file: load } as unknown as Ingest, options);
    workers.wake();
    return row!.ref;
  };
  const ended = () =>
    until(async () => {
      const row = (await readJob(store.db, 'one'))!;
      return row.finished_ms === null ? undefined : row;
    });

  it('waits, and counts no attempt of a file', async () => {
    let refusals = 2;
    const job = await begin(['a.md'], async () => {
      refusals -= 1;
      if (refusals >= 0) throw FULL;
      return loaded;
    });
    await until(async () => workers.problemOf(job));
    expect(await ended()).toMatchObject({ state: 'completed', files_done: 1, files_failed: 0 });
    expect(await listFiles(store.db, job, { after: -1, limit: 9 })).toMatchObject([{ attempts: 1 }]);
  });

  it('counts the attempts of a file that it refuses while it takes others', async () => {
    let taken = 0;
    const job = await begin(['large.md', 'a.md', 'b.md'], async (path) => {
      if (path === 'large.md') throw FULL;
      taken += 1;
      return loaded;
    });
    await until(async () => (taken === 2 ? true : undefined));
    const attempts = async () => (await listFiles(store.db, job, { after: -1, limit: 1 }))[0]!.attempts;
    await until(async () => ((await attempts()) === 3 ? true : undefined));
  });

  it('names no problem any more while it works on a large file', async () => {
    let end = (): void => undefined;
    let refusals = 1;
    const job = await begin(['a.md'], async (_path, _domain, { progress } = {}) => {
      refusals -= 1;
      if (refusals >= 0) throw FULL;
      const timer = setInterval(() => progress?.(1, 2, 'half'), 100);
      await new Promise<void>((done) => {
        end = done;
      });
      clearInterval(timer);
      return loaded;
    });
    await until(async () => workers.problemOf(job));
    await until(async () => (workers.problemOf(job) === undefined ? true : undefined));
    expect(await readJob(store.db, 'one')).toMatchObject({ state: 'running', files_done: 0 });
    end();
    await ended();
  });

  it('notes the end of a file once the store takes it again, and ingests the file once', async () => {
    const write = store.write.bind(store);
    let [loads, refusals, refused] = [0, 0, 0];
    const refusing = (...given: Parameters<Store['write']>) => {
      if (refusals <= 0) return write(...given);
      refusals -= 1;
      refused += 1;
      return Promise.reject(FULL);
    };
    Object.assign(store, { write: refusing });
    await begin(['a.md'], async () => {
      loads += 1;
      refusals = 2;
      return loaded;
    });
    expect(await ended()).toMatchObject({ state: 'completed', files_done: 1, files_unchanged: 0 });
    expect([loads, refused]).toEqual([1, 2]);
  });
});
