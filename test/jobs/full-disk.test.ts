import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { runJob } from '../../src/cli/commands/knowledge/ingest-job.js';
import type { Connection } from '../../src/cli/connection.js';
import { Progress } from '../../src/cli/output/progress.js';
import { operations } from '../../src/operations/index.js';
import { invoke } from '../../src/operations/invoke.js';
import { openService, type TestService } from '../service/harness.js';
import { note, until } from './notes.js';

let test: TestService;
beforeEach(async () => {
  test = await openService();
  for (let i = 0; i < 60; i += 1) test.file(`${i}.md`, note(i).repeat(40));
});
afterEach(() => test.close());

/** Lets the store grow by no page more, as a full disk does, or by many. */
const disk = (state: 'full' | 'free') =>
  test.service.store.write(
    async ({ db }) => void (await sql.raw(`pragma max_page_count = ${state === 'full' ? 1 : 1e6}`).execute(db)),
  );
const FULL = 'The disk of the store is full; free space on it, then try again.';

describe('a job on a full disk', () => {
  it('says what it waits for, and goes on once there is space', async () => {
    const job = async () => (await test.get(`/v1/jobs/${body.job_id}`)).body;
    const { body } = await test.post('/v1/jobs/ingest', { domain: 'notes', paths: [test.files] });
    await disk('full');
    const waiting = await until(async () => ((await job()).problem === undefined ? undefined : await job()));
    expect(waiting).toMatchObject({ state: 'running', problem: FULL });
    await disk('free');
    const ended = await until(async () => ((await job()).state === 'completed' ? await job() : undefined));
    expect(ended).toMatchObject({ files: { total: 60, done: 60 } });
    expect(ended).not.toHaveProperty('problem');
  });

  it('does not keep the command that made it: it ends with the reason and names the job', async () => {
    const connection = {
      forwarded: false,
      call: async (name: string, input: unknown) => {
        const answer = await invoke(test.service, operations[name as keyof typeof operations], input, {
          surface: 'cli',
          authenticated: true,
        });
        if (name === 'job_ingest') await disk('full');
        return answer;
      },
      close: async () => {},
    } satisfies Connection;
    const run = { stopped: new Promise(() => {}), progress: new Progress(true) };
    const input = { domain: 'notes', paths: [test.files] };
    await expect(runJob(connection, input, run)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(
        /^The disk of the store is full; .* The job is kept and goes on by itself, .*jobs show /,
      ),
    });
    await disk('free');
  });
});
