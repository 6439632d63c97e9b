import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { openSqlite } from '../../src/backends/store/engine/sqlite.js';
import { makeBackup } from '../../src/cli/backup/make-backup.js';
import { restoreBackup } from '../../src/cli/backup/restore-backup.js';
import { cleanUp, temporaryDirectory } from './processes.js';

const root = temporaryDirectory();
const disk = join(root, 'disk');
let mounted = false;
let data: string;
let elsewhere: string;

beforeAll(() => {
  mkdirSync(disk);
  mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=3m', 'tmpfs', disk]).status === 0;
  if (!mounted && process.env.CI !== undefined) throw new Error('A small tmpfs cannot be mounted; run as root.');
  if (!mounted) process.stderr.write('Skipped: a small tmpfs can be mounted by root only.\n');
});
beforeEach(async () => {
  data = temporaryDirectory();
  elsewhere = temporaryDirectory();
  const store = await openSqlite(join(data, 'svc.sqlite'));
  await store.write(async ({ db }) => {
    await sql`create table ballast (body blob)`.execute(db);
    await sql`insert into ballast values (randomblob(4000000))`.execute(db);
  });
  await store.close();
});
afterAll(async () => {
  if (mounted) spawnSync('umount', [disk]);
  await cleanUp();
});

const backup = (file: string) => makeBackup({ directory: data, file, force: true, progress: () => undefined });
const full = (place: string) => ({
  code: 'unavailable',
  message: `The disk of ${place} is full; free space on it, or name a place on another disk.`,
});

it('says that the disk of the backup is full, and leaves nothing on it', async () => {
  if (!mounted) return;
  const file = join(disk, 'one.tar');
  await expect(backup(file)).rejects.toMatchObject(full(file));
  expect(readdirSync(disk)).toEqual([]);
});

it('says that the disk of the directory is full, not that the backup is damaged', async () => {
  if (!mounted) return;
  const file = join(elsewhere, 'one.tgz');
  await backup(file);
  const directory = join(disk, 'data');
  await expect(restoreBackup({ directory, file, force: false })).rejects.toMatchObject(full(directory));
  await restoreBackup({ directory: join(elsewhere, 'data'), file, force: false });
});

it('says that the directory is of another user, not that it holds no store', async () => {
  chmodSync(data, 0o000);
  // Root may read everything: it acts as somebody else.
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) process.seteuid?.(65_534);
  try {
    const sentence = `${data} may not be read by this user; make the backup as the user that runs the service.`;
    await expect(backup(join(elsewhere, 'one.tar'))).rejects.toMatchObject({ code: 'forbidden', message: sentence });
  } finally {
    if (isRoot) process.seteuid?.(0);
    chmodSync(data, 0o700);
  }
  await expect(
    makeBackup({ directory: elsewhere, file: join(root, 'x.tar'), force: false, progress: () => undefined }),
  ).rejects.toMatchObject({ code: 'not_found' });
});

it('says which file of the directory is of another user, not that the backup cannot be written', async () => {
  const rules = join(data, 'rules');
  mkdirSync(rules);
  writeFileSync(join(rules, 'own.yaml'), 'x', { mode: 0o600 });
  for (const path of [data, elsewhere]) chmodSync(path, 0o777);
  chmodSync(join(data, 'svc.sqlite'), 0o666);
  const isRoot = process.geteuid?.() === 0;
  if (!isRoot) chmodSync(join(rules, 'own.yaml'), 0o000);
  if (isRoot) process.seteuid?.(65_534);
  try {
    const sentence = `${join(rules, 'own.yaml')} may not be read by this user; make the backup as the user that runs the service.`;
    await expect(backup(join(elsewhere, 'one.tar'))).rejects.toMatchObject({ code: 'forbidden', message: sentence });
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
  rmSync(rules, { recursive: true });
  await backup(join(elsewhere, 'one.tar'));
});

it('says that the backup is a directory or of another user, not that the directory cannot be written', async () => {
  const restore = (file: string) => restoreBackup({ directory: join(root, 'fresh'), file, force: false });
  await expect(restore(elsewhere)).rejects.toMatchObject({ message: `${elsewhere} is a directory; name a backup.` });
  const file = join(elsewhere, 'one.tar');
  await backup(file);
  chmodSync(file, 0o000);
  chmodSync(elsewhere, 0o755);
  // Root may read everything: it acts as somebody else.
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) process.seteuid?.(65_534);
  try {
    await expect(restore(file)).rejects.toMatchObject({
      code: 'forbidden',
      message: `${file} may not be read by this user; restore it as its owner, or name another backup.`,
    });
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
});

it('says that a place cannot be written, or is a directory', async () => {
  const inTheWay = join(elsewhere, 'file');
  writeFileSync(inTheWay, '');
  const below = join(inTheWay, 'one.tar');
  await expect(backup(below)).rejects.toMatchObject({
    code: 'invalid_input',
    message: `${below} cannot be written; name a place that this user may write, on a disk that is not read-only.`,
  });
  const folder = join(elsewhere, 'folder');
  mkdirSync(folder);
  await expect(backup(folder)).rejects.toMatchObject({ message: `${folder} is a directory; name a file.` });
});

it('names the file that its disk fails to read, not the place of the backup', async () => {
  if (!mounted) return;
  const path = join(data, 'keys.yaml');
  writeFileSync(path, '');
  // Nothing is mapped at the address 0 of a process: to read there is an error of input and output.
  expect(spawnSync('mount', ['--bind', `/proc/${process.pid}/mem`, path]).status).toBe(0);
  try {
    await expect(backup(join(elsewhere, 'one.tar'))).rejects.toMatchObject({
      code: 'unavailable',
      message: `${path} cannot be read, for its disk fails; check the disk, and move the data directory to another one.`,
    });
  } finally {
    spawnSync('umount', [path]);
  }
  expect(readdirSync(elsewhere)).toEqual([]);
});

it('says that the store cannot be opened, not that the backup cannot be written', async () => {
  rmSync(join(data, 'svc.sqlite-wal'), { force: true });
  mkdirSync(join(data, 'svc.sqlite-wal'));
  await expect(backup(join(elsewhere, 'one.tar'))).rejects.toMatchObject({
    code: 'unavailable',
    details: { part: 'store' },
  });
});
