import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { runFor } from '../../src/core/async/caller-scope.js';
import type { SvcError } from '../../src/core/errors.js';
import { operations } from '../../src/operations/index.js';
import { invoke } from '../../src/operations/invoke.js';
import type { Operation } from '../../src/operations/operation.js';
import { note } from '../jobs/notes.js';
import { openService, type TestService } from './harness.js';

let test: TestService;
beforeEach(async () => {
  test = await openService();
  mkdirSync(join(test.files, 'real', 'deep'), { recursive: true });
  symlinkSync(join(test.files, 'real'), join(test.files, 'link'));
  for (const [i, name] of ['deep/a.md', 'b.md', 'c.md'].entries()) {
    const source_path = join(test.files, 'real', name);
    writeFileSync(source_path, note(i));
    await call('ingest', { source_path, domain: 'notes' });
    if (name !== 'c.md') rmSync(source_path);
  }
});
afterEach(() => test.close());

// biome-ignore lint/suspicious/noExplicitAny: answers of several operations pass through here
async function call(name: string, input: object): Promise<any> {
  const table: Readonly<Record<string, Operation>> = operations;
  return invoke(test.service, table[name]!, input, { surface: 'http', authenticated: true });
}

const sources = async () => (await call('documents', { domain: 'notes' })).documents.length;

it('lists files that are gone and forgets none, whatever else the input holds', async () => {
  const directory = join(test.files, 'real');
  const given = { directory, domain: 'notes' };
  const both = { total: 2, files: [join(directory, 'b.md'), join(directory, 'deep', 'a.md')] };
  for (const more of [{}, { dryRun: false }, { dry_run: false }, { 'dry-run': true }]) {
    expect(await call('missing_files', { ...given, ...more })).toEqual(both);
  }
  expect(await call('missing_files', { ...given, limit: 1 })).toEqual({ total: 2, files: [both.files[0]] });
  expect(await call('missing_files', { ...given, limit: 0 })).toEqual({ total: 2, files: [] });
  expect(await call('missing_files', { ...given, domain: 'others' })).toEqual({ total: 0, files: [] });
  expect(await sources()).toBe(3);
  expect(operations.missing_files.readOnly).toBe(true);
  expect(Object.keys(operations.forget_missing.input.properties)).toEqual(['directory', 'domain', 'dry_run']);
  expect(await call('forget_missing', given)).toEqual({ status: 'forgotten', sources: 2, removed: expect.any(Number) });
  expect(await call('missing_files', given)).toEqual({ total: 0, files: [] });
});

it('forgets nothing in a dry run, and says what would be forgotten', async () => {
  const directory = join(test.files, 'real');
  const files = [join(directory, 'b.md'), join(directory, 'deep', 'a.md')];
  const planned = { status: 'dry_run' };
  const given = { directory, domain: 'notes' };
  expect(await call('forget_missing', { ...given, dry_run: true })).toEqual({ ...planned, sources: 2, files });
  const [{ source_id }] = (await call('documents', { domain: 'notes' })).documents;
  expect(await call('forget_document', { source_id, dry_run: true })).toEqual({ ...planned, sources: 1 });
  const whole = {
    status: 'dry_run',
    sources: 3,
    removed: (await test.service.graph.findNodes({ domain: 'notes' })).length,
  };
  expect(whole.removed).toBeGreaterThan(3);
  expect(await call('forget_domain', { name: 'notes', dry_run: true })).toEqual(whole);
  expect((await test.delete('/v1/domains/notes?dry_run=true')).body).toEqual(whole);
  expect(await sources()).toBe(3);
  const code = (name: string, input: object) => call(name, input).catch((error: SvcError) => error.code);
  expect(await code('forget_document', { source_id: 'none', dry_run: true })).toBe('source_not_found');
  expect(await code('forget_domain', { name: 'none', dry_run: true })).toBe('domain_not_found');
  expect(await call('forget_missing', { ...given, dry_run: false })).toMatchObject({ status: 'forgotten', sources: 2 });
  const { removed } = await call('forget_domain', { name: 'notes', dry_run: true });
  expect(await call('forget_domain', { name: 'notes' })).toEqual({ status: 'forgotten', sources: 1, removed });
});

it('names them below the directory as the caller gave it, and says nothing of where a link leads', async () => {
  const namesOf = async (directory: string) => (await call('missing_files', { directory, domain: 'notes' })).files;
  const link = join(test.files, 'link');
  for (const directory of [link, `${link}/`, relative('.', link)]) {
    const below = directory.replace(/\/$/, '');
    expect(await namesOf(directory)).toEqual([`${below}/b.md`, `${below}/deep/a.md`]);
  }
});

it('lists no file of a directory that is not to be read or is not there, and none of another domain of a key', async () => {
  const code = (input: object) =>
    call('missing_files', { domain: 'notes', ...input }).catch((error: SvcError) => error.code);
  expect(await code({ directory: '/' })).toBe('forbidden');
  expect(await code({ directory: join(test.files, 'none') })).toBe('not_found');
  const scoped = (areas: readonly 'files'[], domains: readonly string[]) =>
    runFor({ id: 'key', scope: { name: 'key', domains, access: 'read', areas } }, () =>
      code({ directory: test.files }),
    );
  expect(await scoped([], ['notes'])).toBe('forbidden');
  expect(await scoped(['files'], ['others'])).toBe('forbidden');
  expect(await scoped(['files'], ['notes'])).toMatchObject({ total: 2 });
});

it('forgets nothing where a file took the place of the directory', async () => {
  const given = { directory: join(test.files, 'real'), domain: 'notes' };
  rmSync(given.directory, { recursive: true });
  writeFileSync(given.directory, note(9));
  for (const name of ['forget_missing', 'missing_files']) {
    const refusal = { code: 'not_found', message: expect.stringMatching(/^directory names no directory/) };
    await expect(call(name, given)).rejects.toMatchObject(refusal);
  }
  expect(await sources()).toBe(3);
});
