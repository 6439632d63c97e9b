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
    const jobThat = (is: (job: { state: string; problem?: string }) => boolean) =>
      until(async () => {
        const job = (await test.get(`/v1/jobs/${body.job_id}`)).body;
        return is(job) ? job : undefined;
      });
    const { body } = await test.post('/v1/jobs/ingest', { domain: 'notes', paths: [test.files] });
    await disk('full');
    const waiting = await jobThat(({ problem }) => problem !== undefined);
    expect(waiting).toMatchObject({ state: 'running', problem: FULL });
    await disk('free');
    const ended = await jobThat(({ state }) => state === 'completed');
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
    const run = { stopped: new Promise(() => {}), progress: new Progress(true), givesUp: true };
    const input = { domain: 'notes', paths: [test.files] };
    await expect(runJob(connection, input, run)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(
        /^The disk of the store is full; .* The job is kept and goes on by itself, .*jobs show .*jobs retry /,
      ),
    });
    await disk('free');
  });

  it('keeps a command that waits for it, and one whose job goes on all the same', async () => {
    const answering = (job: (asked: number) => object): { connection: Connection; called: string[] } => {
      const called: string[] = [];
      const call = async (name: string) => {
        called.push(name);
        if (name === 'job_ingest') return { job_id: 'a' };
        if (name === 'job_files') return { files: [], next: null };
        const asked = called.length - 1;
        const common = { rate: { files_per_second: 0, passages_per_second: 0 }, current: [] };
        return { state: asked > 54 ? 'completed' : 'running', problem: FULL, ...common, ...job(asked) };
      };
      return { connection: { forwarded: false, call, close: async () => {} }, called };
    };
    const files = (done: number) => ({ total: 60, done, failed: 0, skipped: 0 });
    const large = (asked: number) => ({ path: 'a.md', step: '', done: 0, total: null, passages: { written: asked } });
    const watching = answering(() => ({ files: files(0) }));
    const reading = answering((asked) => ({ files: files(asked) }));
    const writing = answering((asked) => ({ files: files(0), progress: [large(asked)] }));
    const run = { stopped: new Promise(() => {}), progress: new Progress(true) };
    const input = { domain: 'notes' };
    await Promise.all([
      runJob(watching.connection, input, run),
      runJob(reading.connection, input, { ...run, givesUp: true }),
      runJob(writing.connection, input, { ...run, givesUp: true }),
    ]);
    for (const { called } of [watching, reading, writing])
      expect(called.filter((name) => name === 'job')).toHaveLength(55);
  });
});
