import { existsSync, mkdirSync, readdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { create } from 'tar';
import { openSqlite } from '../../src/backends/store/engine/sqlite.js';
import { makeBackup } from '../../src/cli/backup/make-backup.js';
import { restoreBackup } from '../../src/cli/backup/restore-backup.js';
import { cleanUp, temporaryDirectory } from './processes.js';

let data: string;
let elsewhere: string;
beforeEach(async () => {
  data = temporaryDirectory();
  elsewhere = temporaryDirectory();
  await (await openSqlite(join(data, 'svc.sqlite'))).close();
});
afterEach(cleanUp);

const backup = (file: string) => makeBackup({ directory: data, file, force: true, progress: () => undefined });
const restore = (file: string) => restoreBackup({ directory: data, file, force: true });
const inside = { code: 'invalid_input', message: expect.stringContaining('inside the data directory') };

it('refuses to write a backup into the directory that it copies, also through a link', async () => {
  symlinkSync(data, join(elsewhere, 'link'));
  const before = readdirSync(data);
  for (const file of [join(data, 'one.tar'), join(data, 'new', 'one.tar'), join(elsewhere, 'link', 'one.tar')]) {
    await expect(backup(file)).rejects.toMatchObject(inside);
  }
  expect(readdirSync(data)).toEqual(before);
  // A name that begins as the directory's does lies beside it.
  const beside = `${data}-backup.tar`;
  await backup(beside);
  renameSync(beside, join(elsewhere, 'beside.tar'));
});

it('refuses to restore a backup that the restore would delete', async () => {
  const file = join(elsewhere, 'one.tar');
  await backup(file);
  const moved = join(data, 'one.tar');
  renameSync(file, moved);
  symlinkSync(moved, file);
  for (const path of [moved, file]) await expect(restore(path)).rejects.toMatchObject(inside);
  expect(existsSync(moved)).toBe(true);
});

it('refuses a restore while a backup is being made, and a backup during a restore; two backups go together', async () => {
  const file = join(elsewhere, 'one.tar');
  await backup(file);
  let attempt: Promise<unknown> | undefined;
  let second: Promise<unknown> | undefined;
  const progress = () => {
    attempt ??= restore(file).catch((error: unknown) => error);
    second ??= backup(join(elsewhere, 'two.tar'));
  };
  await makeBackup({ directory: data, file: join(elsewhere, 'three.tar'), force: true, progress });
  expect(await attempt).toMatchObject({ code: 'conflict', message: expect.stringContaining('A backup of') });
  await second;
  // A restore that is refused leaves nothing locked.
  const restoring = restore(file);
  await expect(backup(join(elsewhere, 'four.tar'))).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('A restore of'),
  });
  await restoring;
  await backup(join(elsewhere, 'four.tar'));
});

it('refuses a backup while a restore is not finished', async () => {
  writeFileSync(join(data, 'svc.restore.json'), '{}');
  const file = join(elsewhere, 'one.tar');
  await expect(backup(file)).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('svc doctor'),
  });
  expect(existsSync(file)).toBe(false);
});

it('refuses an archive with a link, changes nothing and frees the directory', async () => {
  const folder = join(elsewhere, 'folder');
  mkdirSync(join(folder, 'data'), { recursive: true });
  writeFileSync(join(folder, 'manifest.json'), '{}');
  symlinkSync('/etc/hostname', join(folder, 'data', 'link'));
  const bad = join(elsewhere, 'bad.tar');
  await create({ file: bad, cwd: folder }, ['manifest.json', 'data']);
  await expect(restore(bad)).rejects.toMatchObject({
    code: 'invalid_input',
    message: expect.stringContaining('data/link'),
  });
  expect(readdirSync(data).filter((name) => name.startsWith('svc.restore'))).toEqual([]);
  const good = join(elsewhere, 'good.tar');
  await backup(good);
  await restore(good);
});
