import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { note } from '../jobs/notes.js';
import { svc, svcJson } from './captured.js';
import { cleanUp, temporaryDirectory } from './processes.js';

const before = { ...process.env };
let documents: string;

beforeEach(() => {
  Object.assign(process.env, { SVC_DATA_DIR: temporaryDirectory(), SVC_EMBEDDING: 'none' });
  documents = temporaryDirectory();
  for (let i = 0; i < 4; i += 1) writeFileSync(join(documents, `${i}.md`), note(i));
});
afterEach(async () => {
  process.env = { ...before };
  await cleanUp();
});

const labels = async () =>
  (await svcJson('documents')).documents.map((one: { label: string }) => one.label).sort() as string[];

it('svc ingest --forget-missing forgets what is gone from below the directory, and nothing else', async () => {
  const other = join(temporaryDirectory(), 'other.md');
  writeFileSync(other, note(50));
  await svcJson('ingest', other, '--domain', 'notes');
  await svcJson('ingest', documents, '--domain', 'notes');
  rmSync(other);
  rmSync(join(documents, '0.md'));
  mkdirSync(join(documents, 'deep'));
  renameSync(join(documents, '1.md'), join(documents, 'deep', 'renamed.md'));
  await svcJson('ingest', documents, '--domain', 'notes');
  expect(await labels()).toEqual(['0.md', '1.md', '2.md', '3.md', 'other.md', 'renamed.md']);
  const { code, stdout } = await svc('ingest', documents, '--domain', 'notes', '--forget-missing');
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^Forgotten: 2 documents whose files are gone\.$/m)]);
  expect(await labels()).toEqual(['2.md', '3.md', 'other.md', 'renamed.md']);
  expect((await svcJson('ingest', documents, '--domain', 'notes', '--forget-missing')).forgotten).toBe(0);
}, 60_000);

it('refuses --forget-missing where it means nothing, and forgets nothing then', async () => {
  await svcJson('ingest', documents, '--domain', 'notes');
  rmSync(join(documents, '0.md'));
  const refused = async (...args: string[]) => {
    const { code, stderr } = await svc('ingest', ...args, '--domain', 'notes', '--forget-missing');
    expect(code).toBe(2);
    return stderr;
  };
  expect(await refused(join(documents, '1.md'))).toContain('needs a directory');
  expect(await refused(documents, '--dry-run')).toContain('--forget-missing writes');
  expect(await refused(documents, '--type', 'seed')).toContain('--forget-missing is for documents');
  for (let i = 1; i < 4; i += 1) rmSync(join(documents, `${i}.md`));
  expect(await refused(documents)).toContain('There is no file to ingest');
  expect(await labels()).toHaveLength(4);
}, 60_000);
