import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { note } from '../jobs/notes.js';
import { svc, svcJson } from './captured.js';
import { cleanUp, temporaryDirectory } from './processes.js';

const before = { ...process.env };
let documents: string;
let elsewhere: string;

beforeEach(() => {
  Object.assign(process.env, { SVC_DATA_DIR: temporaryDirectory(), SVC_EMBEDDING: 'none' });
  documents = temporaryDirectory();
  elsewhere = temporaryDirectory();
  mkdirSync(join(elsewhere, 'folder'));
  writeFileSync(join(elsewhere, 'private.md'), note(1));
  writeFileSync(join(elsewhere, 'folder', 'more.md'), note(2));
  writeFileSync(join(documents, 'own.md'), note(3));
});
afterEach(async () => {
  process.env = { ...before };
  await cleanUp();
});

const labels = async () =>
  (await svcJson('documents')).documents.map((one: { label: string }) => one.label).sort() as string[];
const ingest = (...more: string[]) => svc('ingest', documents, '--domain', 'notes', ...more);

it('links that lead out of the directory are left out and named, until --follow-links is given', async () => {
  symlinkSync(join(elsewhere, 'private.md'), join(documents, 'a.md'));
  symlinkSync(join(elsewhere, 'folder'), join(documents, 'b'));
  const { code, stderr } = await ingest();
  expect(code).toBe(0);
  expect(stderr).toMatch(
    /^note 2 links lead outside and are left out: \S+a\.md, \S+b; --follow-links reads them too\.$/m,
  );
  expect(await labels()).toEqual(['own.md']);
  const followed = await ingest('--follow-links');
  expect([followed.code, followed.stderr]).toEqual([0, '']);
  expect(await labels()).toEqual(['a.md', 'more.md', 'own.md']);
}, 60_000);

it('links within the directory are followed once, also in a circle and to what is hidden', async () => {
  mkdirSync(join(documents, 'deep'));
  mkdirSync(join(documents, '..data'));
  writeFileSync(join(documents, '..data', 'mounted.md'), note(4));
  symlinkSync('own.md', join(documents, 'again.md'));
  symlinkSync('..', join(documents, 'deep', 'circle'));
  symlinkSync('..data/mounted.md', join(documents, 'mounted.md'));
  symlinkSync('..data/mounted.md', join(documents, 'twice.md'));
  const { files, skipped } = await svcJson('ingest', documents, '--domain', 'notes');
  const paths = files.map(({ path }: { path: string }) => path);
  expect([paths, skipped]).toEqual([[join(documents, 'mounted.md'), join(documents, 'own.md')], []]);
}, 60_000);

it('a link that names a file as a document is followed: the file has no name that is read', async () => {
  writeFileSync(join(documents, 'README'), note(5));
  symlinkSync('README', join(documents, 'README.md'));
  const { files, skipped } = await svcJson('ingest', documents, '--domain', 'notes');
  const paths = files.map(({ path }: { path: string }) => path);
  expect([paths, skipped]).toEqual([
    [join(documents, 'README.md'), join(documents, 'own.md')],
    [{ path: join(documents, 'README'), reason: 'not of a type that is read' }],
  ]);
}, 60_000);

it('a directory that is given as a link is read', async () => {
  const link = join(elsewhere, 'link');
  symlinkSync(documents, link);
  const { files } = await svcJson('ingest', link, '--domain', 'notes');
  expect(files).toMatchObject([{ path: join(link, 'own.md') }]);
}, 60_000);
