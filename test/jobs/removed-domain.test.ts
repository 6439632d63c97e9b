import { expect, it } from '@jest/globals';
import { openService } from '../service/harness.js';
import { note, until } from './notes.js';

it('a domain that is removed stays away: the jobs that ingest into it are cancelled, others go on', async () => {
  const test = await openService({});
  const stateOf = async (id: string) => (await test.get(`/v1/jobs/${id}`)).body;
  const start = async (domain: string, path: string): Promise<string> =>
    (await test.post('/v1/jobs/ingest', { domain, paths: [path] })).body.job_id;
  try {
    for (let i = 0; i < 200; i += 1) test.file(`${i}.md`, note(i));
    const id = await start('notes', test.files);
    await until(async () => (await stateOf(id)).files.done > 0 || undefined);
    const beside = await start('beside', test.file('other.md', note(300)));
    expect((await test.send('/v1/domains/notes?dry_run=true', { method: 'DELETE' })).status).toBe(200);
    expect((await stateOf(id)).state).toBe('running');
    expect((await test.send('/v1/domains/notes', { method: 'DELETE' })).status).toBe(200);
    expect((await stateOf(id)).state).toBe('cancelled');
    await until(async () => (await stateOf(beside)).state === 'completed' || undefined);
    await until(async () => (await stateOf(id)).current.length === 0 || undefined);
    const { documents } = (await test.get('/v1/documents')).body;
    expect(documents.map(({ label }: { label: string }) => label)).toEqual(['other.md']);
  } finally {
    await test.close();
  }
});
