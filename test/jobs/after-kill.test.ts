import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { openService, type TestService } from '../service/harness.js';
import { note, until } from './notes.js';

let test: TestService;
beforeEach(async () => {
  test = await openService();
});
afterEach(() => test.close());

const start = async (paths: readonly string[]): Promise<string> =>
  (await test.post('/v1/jobs/ingest', { domain: 'notes', paths })).body.job_id;
const ended = (id: string) =>
  until(async () => {
    const { body } = await test.get(`/v1/jobs/${id}`);
    return body.finished_at === null ? undefined : body;
  });

it('a job counts what it ingested before its process was killed, and not what was there before them', async () => {
  const { store } = test.service;
  const old = test.file('old.md', note(0));
  await ended(await start([old]));
  const files = [old, test.file('new.md', note(1))];
  const job_id = await start(files);
  expect(await ended(job_id)).toMatchObject({ files: { done: 2, unchanged: 1 } });
  // What a kill leaves before the end of a file is noted: what was written stays.
  await store.write(async ({ db }) => {
    const counts = { files_done: 0, files_unchanged: 0, passages: 0 };
    const { ref } = await db
      .updateTable('job')
      .set({ ...counts, state: 'running', finished_ms: null })
      .where('id', '=', job_id)
      .returning('ref')
      .executeTakeFirstOrThrow();
    await db
      .updateTable('job_file')
      .set({ state: 'running', holder: 'killed', expires_ms: 0, finished_ms: null, result: null })
      .where('job', '=', ref)
      .execute();
  });
  expect(await ended(job_id)).toMatchObject({ state: 'completed', files: { done: 2, unchanged: 1 }, passages: 2 });
  const { files: each } = (await test.get(`/v1/jobs/${job_id}/files`)).body;
  expect(each).toMatchObject([
    { attempts: 2, result: { unchanged: true } },
    { attempts: 2, result: { passages: 1 } },
  ]);
  expect(each[1].result).not.toHaveProperty('unchanged');
});
