import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { isKeyFile } from '../../src/ingest/read/private-files.js';
import { read } from '../../src/ingest/read/read.js';

let root = '';
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'svc-private-'));
  await mkdir(join(root, 'svc-data'), { recursive: true });
  await mkdir(join(root, '.config'), { recursive: true });
  await mkdir(join(root, 'notes'), { recursive: true });
  const files = [
    'svc-data/svc.holder.json',
    'svc-data/notes.txt',
    '.env',
    '.config/notes.txt',
    'server.key',
    'notes/id_rsa',
    'notes/keys.pem',
    'notes/plain.txt',
  ];
  for (const file of files) await writeFile(join(root, file), 'secret words');
  await symlink(join(root, 'svc-data', 'notes.txt'), join(root, 'notes', 'link.txt'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

const readAs = (file: string, roots: readonly string[] | undefined) =>
  read(join(root, file), { roots, sourceType: 'text', maxBytes: 1000, dataDirectory: join(root, 'svc-data') });

describe('files that are never ingested', () => {
  it('are told by names that say that they hold keys', () => {
    const names =
      'secrets.prod.yaml db-credentials.json values.secret.yaml kubeconfig.yaml service-account.json auth.json';
    for (const name of names.split(' ')) expect([name, isKeyFile(name)]).toEqual([name, true]);
    for (const name of ['secretary.json', 'authors.json', 'secret-santa.md', 'vaults.yaml'])
      expect([name, isKeyFile(name)]).toEqual([name, false]);
  });

  it.each([
    ['svc-data/svc.holder.json', 'data directory'],
    ['svc-data/notes.txt', 'data directory'],
    ['notes/link.txt', 'data directory'],
    ['.env', 'dot file'],
    ['server.key', 'key file'],
    ['notes/id_rsa', 'key file'],
    ['notes/keys.pem', 'key file'],
  ])('refuses %s, under a root and without roots', async (file, reason) => {
    const error = { code: 'forbidden', message: expect.stringContaining(reason), details: { member: 'source_path' } };
    await expect(readAs(file, [root])).rejects.toMatchObject(error);
    await expect(readAs(file, undefined)).rejects.toMatchObject(error);
  });

  it('refuses a dot directory below the root, and reads a root that lies in one', async () => {
    await expect(readAs('.config/notes.txt', [root])).rejects.toMatchObject({ code: 'forbidden' });
    await expect(readAs('.config/notes.txt', [join(root, '.config')])).resolves.toMatchObject({ name: 'notes.txt' });
    await expect(readAs('notes/plain.txt', [root])).resolves.toMatchObject({ name: 'plain.txt' });
  });
});
