import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { openSqlite } from '../../src/backends/store/engine/sqlite.js';
import type { Store } from '../../src/backends/store/scope.js';

let directory: string;
let store: Store;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'svc-wal-'));
  store = await openSqlite(join(directory, 'store.db'));
});

afterEach(async () => {
  await store.close().catch(() => {});
  rmSync(directory, { recursive: true, force: true });
});

test('a long log moves into the database while writes go on, and nothing is lost', async () => {
  const megabyte = 2 ** 20;
  for (let i = 0; i < 60; i += 1) {
    await store.write(async ({ db }) => {
      await sql`create table if not exists ballast (i integer primary key, body blob)`.execute(db);
      await sql`insert into ballast values (${i}, randomblob(${megabyte}))`.execute(db);
    });
  }
  const found = await sql<{ n: number; bytes: number }>`select count(*) as n, sum(length(body)) as bytes
    from ballast`.execute(store.db);
  expect(found.rows[0]).toEqual({ n: 60, bytes: 60 * megabyte });
  expect(statSync(join(directory, 'store.db')).size).toBeGreaterThan(16 * megabyte);
});

test('a log that was moved gives its space back, and commits do not cut the file', async () => {
  const write = (bytes: number) =>
    store.write(async ({ db }) => {
      await sql`create table if not exists ballast (body blob)`.execute(db);
      await sql`insert into ballast values (randomblob(${bytes}))`.execute(db);
    });
  const length = () => statSync(join(directory, 'store.db-wal')).size;
  await write(60 * 2 ** 20);
  expect(length()).toBeGreaterThan(60 * 2 ** 20);
  for (let i = 0; i < 100 && length() > 2 ** 20; i += 1) {
    await write(1);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  expect(length()).toBeLessThan(2 ** 20);
});
