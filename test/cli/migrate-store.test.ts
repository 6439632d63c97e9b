import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { openSqlite } from '../../src/backends/store/engine/sqlite.js';
import { svc } from './captured.js';
import { cleanUp, firstLine, start, temporaryDirectory } from './processes.js';

const before = { ...process.env };
let data: string;
beforeEach(() => {
  data = temporaryDirectory();
  // Nothing listens on that port.
  Object.assign(process.env, { SVC_DATA_DIR: data, DATABASE_URL: 'postgres://ada:secret@127.0.0.1:9/none' });
});
afterEach(async () => {
  process.env = { ...before };
  await cleanUp();
});

const move = (...args: string[]) => svc('migrate', 'store', ...args);

it('says what is missing on the command line and in the configuration', async () => {
  expect(await move()).toMatchObject({ code: 2, stderr: expect.stringContaining('--to') });
  expect(await move('--to', 'mysql')).toMatchObject({ code: 2, stderr: expect.stringContaining('postgres, sqlite') });
  for (const url of ['', 'https://ada:secret@example.com']) {
    process.env.DATABASE_URL = url;
    for (const to of ['postgres', 'sqlite']) {
      const { code, stderr } = await move('--to', to);
      expect([code, stderr]).toEqual([2, expect.stringContaining('DATABASE_URL')]);
      expect(stderr).not.toMatch(/secret|SVC_STORE/);
    }
  }
});

it('refuses a directory without a store, and makes none', async () => {
  const absent = join(data, 'absent');
  for (const directory of [data, absent]) {
    const { code, stderr } = await move('--to', 'postgres', '--data-dir', directory);
    expect([code, stderr]).toEqual([1, expect.stringContaining('holds no store')]);
  }
  expect([existsSync(absent), readdirSync(data).filter((name) => name.includes('sqlite'))]).toEqual([false, []]);
});

it('refuses a store that a process uses, in both directions', async () => {
  await (await openSqlite(join(data, 'svc.sqlite'))).close();
  expect(await firstLine(start('test/cli/holder.ts', [data, 'serve']))).toBe('locked');
  for (const to of ['postgres', 'sqlite']) {
    const { code, stderr } = await move('--to', to);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/`serve`, process \d+, uses .*; stop it first/)]);
  }
});

it('names a PostgreSQL that does not answer by its variable, never by its address', async () => {
  await (await openSqlite(join(data, 'svc.sqlite'))).close();
  const { code, stdout, stderr } = await move('--to', 'postgres');
  expect([code, stderr]).toEqual([1, expect.stringContaining('the server of DATABASE_URL')]);
  expect(stdout + stderr).not.toContain('secret');
});
