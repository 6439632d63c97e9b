import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { openPostgres } from '../../src/backends/store/engine/postgres.js';
import type { Store } from '../../src/backends/store/scope.js';
import { jobsSuite } from '../jobs/jobs.suite.js';
import { note, until } from '../jobs/notes.js';
import { post, type ServerProcess, startProcess } from '../service/process.js';
import { describeLive, liveUrl } from '../vector/live-engine.js';
import { FreshDatabases } from './fresh-databases.js';

describeLive('jobs of replicas', liveUrl('PG_URL', 'PostgreSQL'), (server) => {
  const databases = new FreshDatabases(server);
  const root = mkdtempSync(join(tmpdir(), 'jobs-'));
  const files = join(root, 'files');
  let one: ServerProcess;
  let two: ServerProcess;
  let database: Store;
  beforeAll(async () => {
    mkdirSync(files);
    for (let i = 0; i < 120; i += 1) writeFileSync(join(files, `${i}.md`), note(i));
    const fresh = await databases.environment();
    database = await openPostgres(fresh.DATABASE_URL!, { migrate: false, connections: 1 });
    const environment = { ...fresh, SVC_INGEST_ROOTS: files, SVC_JOB_WORKERS: '1' };
    [one, two] = await Promise.all([
      startProcess(join(root, 'one'), environment),
      startProcess(join(root, 'two'), environment),
    ]);
  });
  afterAll(async () => {
    await Promise.all([one?.stop(), two?.stop(), database?.close()]);
    await databases.dropAll();
    rmSync(root, { recursive: true, force: true });
  });
  // biome-ignore lint/suspicious/noExplicitAny: answers of several routes
  const get = async (path: string): Promise<any> => (await fetch(two.url + path)).json();

  jobsSuite('PostgreSQL', async () => ({ ...(await databases.environment()), SVC_JOB_RETENTION_ROWS: '2' }));

  it('share one job, and the other finishes what a killed one held', async () => {
    const id = String((await post(one.url, '/v1/jobs/ingest', { paths: [files], domain: 'notes' }))?.body.job_id);
    await until(async () => {
      const { rows } = await sql`select distinct holder from job_file where state = 'running'`.execute(database.db);
      return rows.length === 2 ? true : undefined;
    });
    await one.kill();
    const job = await until(async () => {
      const found = await get(`/v1/jobs/${id}`);
      return found.state === 'completed' ? found : undefined;
    });
    expect(job.files).toMatchObject({ total: 120, done: 120, failed: 0 });
    expect((await get('/v1/documents')).documents).toHaveLength(120);
    const { files: all } = await get(`/v1/jobs/${id}/files?limit=1000`);
    // None was begun twice but those that the killed process held, a batch at most.
    expect(all.filter((file: { attempts: number }) => file.attempts > 1).length).toBeLessThanOrEqual(32);
  });
});
