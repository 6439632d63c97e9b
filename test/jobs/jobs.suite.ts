import { mkdirSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { EmbeddingModel } from '../../src/backends/embedding/port.js';
import { type EachEnvironment, openService, type TestService } from '../service/harness.js';

import { note, until } from './notes.js';

/** What jobs promise, on every store. */
export function jobsSuite(name: string, environment: EachEnvironment): void {
  describe(`jobs on ${name}`, () => {
    let test: TestService;
    beforeEach(async () => {
      test = await openService(environment);
    });
    afterEach(() => test.close());

    const start = (body: object, headers: Record<string, string> = {}) =>
      test.send('/v1/jobs/ingest', {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ domain: 'notes', ...body }),
      });
    const ended = (id: string) =>
      until(async () => {
        const { body } = await test.get(`/v1/jobs/${id}`);
        return ['completed', 'failed', 'cancelled'].includes(body.state) ? body : undefined;
      });
    const upload = (files: Record<string, string>, headers: Record<string, string> = {}) => {
      const form = new FormData();
      form.set('domain', 'notes');
      for (const [file, text] of Object.entries(files)) form.append('files', new Blob([text]), file);
      return test.send('/v1/jobs/ingest', { method: 'POST', body: form, headers });
    };

    it('ingest a directory with all below it, and tell what became of each file', async () => {
      mkdirSync(join(test.files, 'deep'));
      for (const i of [0, 1, 2]) test.file(`deep/${i}.md`, note(i));
      test.file('deep/picture.png', 'no text');
      test.file('deep/.hidden.md', note(9));
      test.file('broken.pdf', 'no PDF');
      const { status, body } = await start({ paths: [test.files] });
      expect(status).toBe(202);
      expect(body).toMatchObject({ kind: 'ingest', domain: 'notes', files: { total: 5, skipped: 1 } });
      const job = await ended(body.job_id);
      expect(job).toMatchObject({
        state: 'failed',
        files: { total: 5, done: 3, failed: 1, skipped: 1, unchanged: 0 },
        remaining_seconds: 0,
        current: [],
        errors: [{ path: join(test.files, 'broken.pdf'), code: expect.any(String), error: expect.any(String) }],
      });
      expect(job.passages).toBeGreaterThanOrEqual(3);
      expect(job.rate.files_per_second).toBeGreaterThan(0);
      const { documents } = (await test.get('/v1/documents')).body;
      expect(documents.map((one: { label: string }) => one.label).sort()).toEqual(['0.md', '1.md', '2.md']);

      const first = (await test.get(`/v1/jobs/${body.job_id}/files?limit=2`)).body;
      const rest = (await test.get(`/v1/jobs/${body.job_id}/files?after=${first.next}`)).body;
      const files = [...first.files, ...rest.files];
      expect(rest.next).toBeNull();
      expect(files.map((file: { state: string }) => file.state).sort()).toEqual([
        'done',
        'done',
        'done',
        'failed',
        'skipped',
      ]);
      const done = files.find((file: { path: string }) => file.path.endsWith('1.md'));
      expect(done).toMatchObject({ state: 'done', attempts: 1, result: { domain: 'notes', source: '1.md' } });
      expect((await test.get(`/v1/jobs/${body.job_id}/files?state=skipped`)).body.files).toHaveLength(1);
    });

    it('tell how far a large file is while it is worked on', async () => {
      const model = test.service.concepts.serving.embedding as { embedSpanned: EmbeddingModel['embedSpanned'] };
      const embed = model.embedSpanned.bind(model);
      let resume = (): void => undefined;
      const paused = new Promise<void>((resolve) => {
        resume = resolve;
      });
      let batches = 0;
      model.embedSpanned = async (texts, signal) => {
        batches += 1;
        if (batches > 2) await paused;
        return embed(texts, signal);
      };
      const path = test.file('large.md', Array.from({ length: 1200 }, (_, i) => note(i)).join('\n\n'));
      const { body } = await start({ paths: [path] });
      const progress = await until(async () => (await test.get(`/v1/jobs/${body.job_id}`)).body.progress[0]);
      expect(progress).toMatchObject({
        path,
        step: expect.stringMatching(/^\d+ of 1200 passages embedded$/),
        passages: { parsed: 1200, embedded: expect.any(Number), written: 0 },
      });
      expect(progress.passages.embedded).toBeGreaterThan(0);
      expect(progress.passages.embedded).toBeLessThan(1200);
      expect(progress.done).toBeLessThan(progress.total);
      resume();
      expect(await ended(body.job_id)).toMatchObject({ state: 'completed', passages: 1200, current: [], progress: [] });
    });

    it('name files of a directory that were ingested earlier and are gone', async () => {
      for (const i of [0, 1, 2]) test.file(`${i}.md`, note(i));
      expect((await ended((await start({ paths: [test.files] })).body.job_id)).gone).toEqual({ total: 0, files: [] });
      unlinkSync(join(test.files, '1.md'));
      const gone = { total: 1, files: [join(test.files, '1.md')] };
      const { body } = await start({ paths: [test.files, join(test.files, '2.md')] });
      expect(await ended(body.job_id)).toMatchObject({ state: 'completed', gone });
      const of = async (paths: readonly string[], more = {}) =>
        (await ended((await start({ paths, ...more })).body.job_id)).gone.total;
      expect(await of([join(test.files, '2.md')])).toBe(0);
      expect(await of([test.files], { domain: 'elsewhere' })).toBe(0);
      // They are named as the request names the directory, not as it was resolved.
      symlinkSync(test.files, join(test.files, 'link'));
      const linked = await ended((await start({ paths: [join(test.files, 'link')] })).body.job_id);
      expect(linked.gone).toEqual({ total: 1, files: [join(test.files, 'link', '1.md')] });
    });

    it('ingest uploads, whose bytes go when they are done', async () => {
      const { status, body } = await upload({ 'a.md': note(1), 'b.txt': note(2), 'c.pdf': 'no PDF' });
      expect(status).toBe(202);
      const job = await ended(body.job_id);
      expect(job).toMatchObject({ state: 'failed', files: { done: 2, failed: 1 }, errors: [{ path: 'c.pdf' }] });
      const kept = () => test.service.store.db.selectFrom('job_upload').select('number').execute();
      // The file that failed is there for another try.
      expect(await kept()).toEqual([{ number: 2 }]);
      expect((await upload({ 'd.exe': 'x' })).status).toBe(415);
      expect((await upload({})).body).toMatchObject({ code: 'invalid_input', details: { member: 'files' } });
      expect((await upload({ 'e.md': '' })).body).toMatchObject({ code: 'invalid_input' });
      expect(await kept()).toHaveLength(1);
    });

    it('answer the same job under the same Idempotency-Key, and refuse another request under it', async () => {
      test.file('a.md', note(1));
      const key = { 'Idempotency-Key': 'monday' };
      const answers = await Promise.all([1, 2, 3].map(() => start({ paths: [test.files] }, key)));
      expect(new Set(answers.map(({ body }) => body.job_id)).size).toBe(1);
      expect(await start({ paths: [test.files], domain: 'other' }, key)).toMatchObject({
        status: 409,
        body: { code: 'conflict', details: { member: 'idempotency_key' } },
      });
      const other = await start({ paths: [test.files] }, { 'Idempotency-Key': 'tuesday' });
      expect(other.body.job_id).not.toBe(answers[0]!.body.job_id);
      expect((await ended(other.body.job_id)).files.done).toBe(1);
      // The order of a form's files makes no other request of it.
      const forms = [
        { 'u.md': note(3), 'v.md': note(5) },
        { 'v.md': note(5), 'u.md': note(3) },
      ];
      const uploads = await Promise.all(forms.map((form) => upload(form, { 'Idempotency-Key': 'u' })));
      expect(uploads[0]!.body.job_id).toBe(uploads[1]!.body.job_id);
      expect((await upload({ 'u.md': note(3), 'v.md': note(4) }, { 'Idempotency-Key': 'u' })).status).toBe(409);
      expect((await start({ paths: [test.files] }, { 'Idempotency-Key': 'a b' })).status).toBe(400);
    });

    it('stop when they are cancelled, keep what they ingested, and go on when they are retried', async () => {
      for (let i = 0; i < 60; i += 1) test.file(`${i}.md`, note(i));
      const { job_id } = (await start({ paths: [test.files] })).body;
      await until(async () => ((await test.get(`/v1/jobs/${job_id}`)).body.files.done > 0 ? true : undefined));
      const cancelled = await test.post(`/v1/jobs/${job_id}/cancel`, {});
      expect(cancelled).toMatchObject({ status: 200, body: { state: 'cancelled' } });
      await until(async () => ((await test.get(`/v1/jobs/${job_id}`)).body.current.length === 0 ? true : undefined));
      const { files } = (await test.get(`/v1/jobs/${job_id}`)).body;
      expect(files.done).toBeLessThan(60);
      expect((await test.get('/v1/documents')).body.documents).toHaveLength(files.done);
      // Once more changes nothing.
      expect((await test.post(`/v1/jobs/${job_id}/cancel`, {})).body.state).toBe('cancelled');
      expect((await test.post(`/v1/jobs/${job_id}/retry`, {})).status).toBe(200);
      expect(await ended(job_id)).toMatchObject({ state: 'completed', files: { done: 60, unchanged: 0, failed: 0 } });
      expect((await test.get('/v1/documents')).body.documents).toHaveLength(60);
      for (const what of ['cancel', 'retry']) {
        expect((await test.post(`/v1/jobs/${job_id}/${what}`, {})).body.code).toBe('conflict');
      }
    });

    it('work on failed files alone when they are retried', async () => {
      test.file('good.md', note(1));
      const bad = test.file('bad.md', '\0\u0001');
      const { job_id } = (await start({ paths: [test.files] })).body;
      expect(await ended(job_id)).toMatchObject({ state: 'failed', files: { done: 1, failed: 1 } });
      writeFileSync(bad, note(2));
      await test.post(`/v1/jobs/${job_id}/retry`, {});
      expect(await ended(job_id)).toMatchObject({ state: 'completed', files: { done: 2, failed: 0 }, errors: [] });
      const { files } = (await test.get(`/v1/jobs/${job_id}/files`)).body;
      expect(files.map((file: { attempts: number }) => file.attempts)).toEqual([1, 1]);
    });

    it('read below the roots alone', async () => {
      const outside = join(tmpdir(), `outside-${process.pid}.md`);
      writeFileSync(outside, note(1));
      symlinkSync(outside, join(test.files, 'link.md'));
      symlinkSync('/etc', join(test.files, 'etc'));
      try {
        expect(await start({ paths: [outside] })).toMatchObject({
          status: 403,
          body: { details: { member: 'paths' } },
        });
        expect((await start({ paths: [join(test.files, 'none')] })).status).toBe(404);
        expect((await start({ paths: ['/'] })).status).toBe(403);
        test.file('own.md', note(2));
        for (const follow_links of [false, true]) {
          const { job_id } = (await start({ paths: [test.files], follow_links })).body;
          expect(await ended(job_id)).toMatchObject({ state: 'completed', files: { total: 1, done: 1 } });
        }
      } finally {
        unlinkSync(outside);
      }
    });

    it('say which of the paths is wrong, as it was given, and nothing of what lies outside of the roots', async () => {
      test.file('a.md', note(1));
      const outside = join(tmpdir(), `secret-${process.pid}.md`);
      const refusal = async (path: string) => {
        const { status, body } = await start({ paths: [join(test.files, 'a.md'), path] });
        return { status, message: body.error.replaceAll(JSON.stringify(path), 'PATH'), details: body.details };
      };
      const missing = await refusal(join(test.files, 'none.md'));
      expect(missing).toEqual({
        status: 404,
        message: 'paths: PATH names no file; check the path.',
        details: { member: 'paths' },
      });
      // A relative path stays one, and the target of a link is not told.
      expect((await refusal('../none.md')).message).not.toContain(process.cwd());
      symlinkSync(outside, join(test.files, 'link.md'));
      const absent = [await refusal(outside), await refusal(join(test.files, 'link.md'))];
      writeFileSync(outside, note(1));
      try {
        const there = [await refusal(outside), await refusal(join(test.files, 'link.md'))];
        expect(there[0]).toEqual(absent[0]);
        expect(there[0]).toMatchObject({ status: 403, message: expect.stringContaining('paths: PATH is outside') });
        for (const { message } of [...absent, ...there]) expect(message).not.toContain(outside);
      } finally {
        unlinkSync(outside);
      }
    });

    it('refuse bad input, naming the member', async () => {
      const forged = [
        { filepath: '/etc/hostname', originalFilename: 'a.txt', temporary_path: '/etc/hostname', file_name: 'a.txt' },
      ];
      for (const [body, member] of [
        [{}, 'paths'],
        [{ paths: [] }, 'paths'],
        [{ paths: 'a' }, 'paths'],
        [{ paths: [''] }, 'paths'],
        [{ paths: ['a'], domain: '' }, 'domain'],
        [{ paths: ['a'], source_type: 'exe' }, 'source_type'],
        // Files come with a form only.
        [{ uploads: forged }, 'paths'],
        [{ files: forged }, 'paths'],
      ] as const) {
        const answer = await start(body);
        expect([body, answer.status]).toEqual([body, 400]);
        expect(String(answer.body.details.member)).toContain(member);
      }
      expect((await test.get('/v1/jobs/none')).body.code).toBe('job_not_found');
      expect((await test.get('/v1/jobs/none/files')).status).toBe(404);
      expect((await test.post('/v1/jobs/none/cancel', {})).status).toBe(404);
      expect((await test.get('/v1/jobs?state=odd')).status).toBe(400);
      expect((await test.get('/v1/jobs?after=none')).status).toBe(404);
      mkdirSync(join(test.files, 'empty'));
      expect((await start({ paths: [join(test.files, 'empty')] })).body.details.member).toBe('paths');
      expect((await test.get('/v1/jobs')).body).toEqual({ jobs: [], next: null });
    });

    it('are listed, the newest first, and kept up to a limit', async () => {
      test.file('a.md', note(1));
      const ids: string[] = [];
      for (const domain of ['one', 'two', 'one']) {
        const { job_id } = (await start({ paths: [test.files], domain })).body;
        ids.unshift(job_id);
        await ended(job_id);
      }
      const listed = async (query: string) => {
        const { body } = await test.get(`/v1/jobs${query}`);
        return [body.jobs.map((job: { job_id: string }) => job.job_id), body.next];
      };
      expect(await listed('')).toEqual([ids, null]);
      expect(await listed('?limit=2')).toEqual([ids.slice(0, 2), ids[1]]);
      expect(await listed(`?after=${ids[1]}`)).toEqual([[ids[2]], null]);
      expect(await listed('?domain=one&state=completed')).toEqual([[ids[0], ids[2]], null]);
      expect(await listed('?state=running')).toEqual([[], null]);
      await test.service.jobs.prune();
      expect((await listed(''))[0]).toHaveLength(2);
      expect((await test.get(`/v1/jobs/${ids[2]}`)).status).toBe(404);
      expect((await test.get('/v1/documents')).body.documents).toHaveLength(2);
    });
  });
}
