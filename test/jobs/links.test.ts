import { mkdirSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, it } from '@jest/globals';
import { openService } from '../service/harness.js';
import { note, until } from './notes.js';

it('a job follows links out of its directories on request alone', async () => {
  const test = await openService({});
  mkdirSync(join(test.files, 'deep'));
  test.file('deep/own.md', note(1));
  test.file('beside.md', note(2));
  symlinkSync(join(test.files, 'beside.md'), join(test.files, 'deep', 'link.md'));
  const files = async (more: object) => {
    const input = { domain: 'notes', paths: [join(test.files, 'deep')], ...more };
    const { job_id } = (await test.post('/v1/jobs/ingest', input)).body;
    const ended = async () => (await test.get(`/v1/jobs/${job_id}`)).body.state === 'completed' || undefined;
    await until(ended);
    const { files } = (await test.get(`/v1/jobs/${job_id}/files`)).body;
    return files.map(({ path }: { path: string }) => basename(path));
  };
  try {
    expect(await files({})).toEqual(['own.md']);
    expect(await files({ follow_links: true })).toEqual(['link.md', 'own.md']);
  } finally {
    await test.close();
  }
});
