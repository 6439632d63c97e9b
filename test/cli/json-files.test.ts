import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { svc, svcJson } from './captured.js';
import { cleanUp, temporaryDirectory } from './processes.js';

const before = { ...process.env };
let folder: string;

beforeAll(() => {
  folder = temporaryDirectory();
  Object.assign(process.env, { SVC_DATA_DIR: temporaryDirectory(), SVC_EMBEDDING: 'none' });
});
afterAll(async () => {
  process.env = before;
  await cleanUp();
});

it('takes JSON of an option from a file: more vectors than an argument of a command can hold', async () => {
  const vectors = Array.from({ length: 2000 }, (_, i) => Array.from({ length: 40 }, (_, j) => (i + 1) / (j + 1)));
  const file = join(folder, 'vectors.json');
  writeFileSync(file, JSON.stringify(vectors));
  expect((await svcJson('vectors', 'upsert', 'shop', '--vectors', `@${file}`)).ids).toHaveLength(2000);
  expect(await svcJson('vectors', 'describe', 'shop')).toEqual({ dimension: 40, count: 2000, metric: 'cosine' });
});

it('takes a file that begins with the mark of its encoding', async () => {
  const file = join(folder, 'marked.json');
  writeFileSync(file, '\ufeff[[1, 2]]');
  expect((await svcJson('vectors', 'upsert', 'marked', '--vectors', `@${file}`)).ids).toHaveLength(1);
});

it('says what is wrong with such a file', async () => {
  const broken = join(folder, 'broken.json');
  writeFileSync(broken, '[[1, 2');
  const upsert = async (vectors: string) => {
    const { code, stderr } = await svc('vectors', 'upsert', 'other', '--vectors', vectors);
    expect(code).toBe(2);
    return stderr;
  };
  expect(await upsert(`@${broken}`)).toContain('The file must hold JSON.');
  expect(await upsert(`@${join(folder, 'absent.json')}`)).toContain('The file cannot be read (ENOENT).');
  // A device has no end, and holds no JSON.
  expect(await upsert('@/dev/zero')).toContain('The file must hold 64 MiB at most.');
  expect(await upsert(`@${folder}`)).toContain('The file cannot be read (EISDIR).');
  expect(await upsert('1,2')).toContain('It must be JSON, or @ and the name of a file of JSON.');
});

it('tells which options may be repeated', async () => {
  expect((await svc('vectors', 'upsert', '--help')).stdout.replace(/\s+/g, ' ')).toContain(
    '--ids <text> One for each vector; default new UUIDs. May be repeated.',
  );
});

it.each([
  ['--rule-version must be >= 1', ['project', '--persona', 'p', '--rule-version', '0']],
  ['--outcome or --reward is missing', ['learning', 'observe', 'prompts', 'short']],
  ['exactly one of --ids and --filter', ['vectors', 'delete-many', 'shop']],
  [
    '--reduction must be <= 100',
    ['green', 'targets', 'add', 'x', '--base-year', '2025', '--target-year', '2030', '--reduction', '150'],
  ],
])('names options as they are typed: %s', async (text, args) => {
  expect((await svc(...args)).stderr).toContain(text);
});
