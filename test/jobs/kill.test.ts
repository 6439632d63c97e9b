import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { seededRandom } from '../../src/core/random.js';
import { post, startProcess } from '../service/process.js';

import { note, until } from './notes.js';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'jobs-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const FILES = 80;

// biome-ignore lint/suspicious/noExplicitAny: answers of several routes
const get = async (url: string, path: string): Promise<any> => (await fetch(url + path)).json();

describe('a job whose service is killed', () => {
  it('goes on after each start, does no finished file again and loses none', async () => {
    const random = seededRandom('jobs');
    const files = join(root, 'files');
    mkdirSync(files);
    for (let i = 0; i < FILES; i += 1) writeFileSync(join(files, `${i}.md`), note(i));
    const environment = { SVC_INGEST_ROOTS: files };
    const directory = join(root, 'data');
    let server = await startProcess(directory, environment);
    const started = await post(server.url, '/v1/jobs/ingest', { paths: [files], domain: 'notes' });
    const form = new FormData();
    form.set('domain', 'notes');
    for (let i = 0; i < 10; i += 1) form.append('files', new Blob([note(1000 + i)]), `upload-${i}.md`);
    const uploads = await (await fetch(`${server.url}/v1/jobs/ingest`, { method: 'POST', body: form })).json();
    const ids = [String(started?.body.job_id), String((uploads as { job_id: string }).job_id)];
    const finished = new Map<string, number>();
    for (let kill = 0; kill < 4; kill += 1) {
      await new Promise((done) => setTimeout(done, random() * 300));
      // A file that is finished now must not be begun again.
      for (const id of ids) {
        for (const file of (await get(server.url, `/v1/jobs/${id}/files?state=done&limit=1000`)).files) {
          finished.set(`${id} ${file.path}`, file.attempts);
        }
      }
      await server.kill();
      server = await startProcess(directory, environment);
    }
    try {
      for (const [n, id] of ids.entries()) {
        const job = await until(async () => {
          const found = await get(server.url, `/v1/jobs/${id}`);
          return found.state === 'completed' ? found : undefined;
        });
        const total = n === 0 ? FILES : 10;
        expect(job).toMatchObject({ files: { total, done: total, failed: 0 }, errors: [] });
        for (const file of (await get(server.url, `/v1/jobs/${id}/files?limit=1000`)).files) {
          const before = finished.get(`${id} ${file.path}`);
          if (before !== undefined) expect([file.path, file.attempts]).toEqual([file.path, before]);
        }
      }
      expect((await get(server.url, '/v1/documents')).documents).toHaveLength(FILES + 10);
      const { domains } = await get(server.url, '/v1/domains');
      expect(domains).toHaveLength(1);
    } finally {
      await server.stop();
    }
  });
});
