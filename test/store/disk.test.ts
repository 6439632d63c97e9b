import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { openSqlite } from '../../src/backends/store/engine/sqlite.js';
import { storageProblem } from '../../src/backends/store/engine/storage-problem.js';
import type { Store } from '../../src/backends/store/scope.js';
import { SvcError } from '../../src/core/errors.js';
import { Feedback } from '../../src/learning/feedback/feedback.js';

let directory: string;
let file: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'svc-disk-'));
  file = join(directory, 'store.db');
});

afterEach(() => {
  rmSync(directory, { recursive: true, force: true });
});

/** Lets the writer's file grow by no page more, as on a full disk; returns what ends that. */
async function fillDisk(store: Store): Promise<() => Promise<void>> {
  const limit = (pages: number) =>
    store.write(async ({ db }) => void (await sql.raw(`pragma max_page_count = ${pages}`).execute(db)));
  await limit(1);
  return () => limit(1_000_000);
}

const grow = (store: Store) =>
  store.write(async ({ db }) => {
    await sql`create table if not exists ballast (body blob)`.execute(db);
    await sql`insert into ballast values (randomblob(200000))`.execute(db);
  });

describe('a store whose file is taken away while it is open', () => {
  test('takes no write that would be lost, says so, and goes on once the file is back', async () => {
    const store = await openSqlite(file);
    const lost = { code: 'unavailable', details: { part: 'store', reason: 'lost' } };
    try {
      await grow(store);
      renameSync(file, `${file}.away`);
      await expect(grow(store)).rejects.toMatchObject(lost);
      await expect(store.health()).rejects.toMatchObject(lost);
      writeFileSync(file, 'another file in its place');
      await expect(grow(store)).rejects.toMatchObject(lost);
      rmSync(file);
      renameSync(`${file}.away`, file);
      await grow(store);
      await store.health();
    } finally {
      await store.close();
    }
  });
});

describe('a store whose log is taken away while it is open', () => {
  test.each(['removed', 'replaced'])(
    'takes no write that could be lost where it is %s, and keeps what it took',
    async (how) => {
      const store = await openSqlite(file);
      const lost = {
        code: 'unavailable',
        message: expect.stringContaining('svc.sqlite-wal'),
        details: { part: 'store', reason: 'lost' },
      };
      const count = async ({ db }: Store) =>
        (await sql<{ n: number }>`select count(*) as n from ballast`.execute(db)).rows[0]?.n;
      await grow(store);
      await grow(store);
      rmSync(`${file}-wal`);
      if (how === 'replaced') writeFileSync(`${file}-wal`, '');
      await expect(grow(store)).rejects.toMatchObject(lost);
      await expect(store.health()).rejects.toMatchObject(lost);
      await store.close();
      const next = await openSqlite(file);
      expect(await count(next)).toBe(2);
      await grow(next);
      await next.close();
    },
  );
});

describe('a store whose disk is full', () => {
  test('refuses writes as unavailable with the reason, keeps reading, and recovers', async () => {
    const store = await openSqlite(file);
    try {
      const free = await fillDisk(store);
      await expect(grow(store)).rejects.toMatchObject({
        code: 'unavailable',
        message: expect.stringContaining('full'),
        details: { part: 'store', reason: 'full' },
      });
      expect((await sql<{ n: number }>`select count(*) as n from counter`.execute(store.db)).rows).toHaveLength(1);
      await free();
      await grow(store);
      await store.health();
    } finally {
      await store.close();
    }
  });

  test('fails no other write that shares the transaction with a different error', async () => {
    const store = await openSqlite(file);
    try {
      await fillDisk(store);
      const results = await Promise.allSettled(Array.from({ length: 20 }, () => grow(store)));
      for (const result of results) {
        expect(result).toMatchObject({ status: 'rejected', reason: { code: 'unavailable' } });
      }
    } finally {
      await store.close();
    }
  });

  test('is unhealthy while writes fail, although reads work', async () => {
    const store = await openSqlite(file);
    try {
      await store.health();
      await store.write(async ({ db }) => void (await sql`pragma query_only = 1`.execute(db)));
      await expect(grow(store)).rejects.toMatchObject({ details: { reason: 'read_only' } });
      await expect(store.health()).rejects.toMatchObject({ code: 'unavailable', details: { reason: 'read_only' } });
    } finally {
      await store.close();
    }
  });

  test('drops and counts the log entry of a query, which is answered all the same', async () => {
    const store = await openSqlite(file);
    const feedback = new Feedback(store, { clock: () => 1_700_000_000_000 });
    try {
      await fillDisk(store);
      const items = Array.from({ length: 400 }, (_, i) => ({ id: `d:${i}`, score: 1, domain: 'd' }));
      const record = { text: 'what', domains: [], mode: 'auto', vector: null, model: null, items };
      for (let i = 0; i < 40; i += 1) await feedback.recordQuery({ ...record, query_id: `q${i}` });
      await feedback.flushed();
      expect(feedback.droppedQueries()).toBeGreaterThan(0);
    } finally {
      await feedback.close();
      await store.close();
    }
  });
});

describe('a damaged store', () => {
  test.each([
    ['another kind of file', () => writeFileSync(file, 'this is not a database, '.repeat(400))],
    ['half of its file', () => truncateSync(file, Math.floor(readFileSync(file).length / 2))],
    [
      'pages overwritten',
      () => {
        const bytes = readFileSync(file);
        bytes.fill(0x5a, 8192, 40_960);
        writeFileSync(file, bytes);
      },
    ],
  ])('does not open: %s', async (_, damage) => {
    const store = await openSqlite(file);
    await grow(store);
    await store.close();
    damage();
    await expect(openSqlite(file)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('damaged'),
    });
  });

  test('does not open where its path is a directory', async () => {
    mkdirSync(file);
    await expect(openSqlite(file)).rejects.toMatchObject({ code: 'unavailable' });
  });

  test('is found by the integrity check, which finds nothing in a sound one', async () => {
    const store = await openSqlite(file);
    await grow(store);
    expect(await store.integrity()).toEqual([]);
    await store.close();
  });
});

test('errors of the file system and of PostgreSQL get the same reasons; others stay', () => {
  const of = (code: string) => storageProblem(Object.assign(new Error('x'), { code }));
  expect(of('ENOSPC')).toMatchObject({ details: { reason: 'full' } });
  expect(of('53100')).toMatchObject({ details: { reason: 'full' } });
  expect(of('25006')).toMatchObject({ details: { reason: 'read_only' } });
  expect(of('SQLITE_IOERR_FSYNC')).toMatchObject({ details: { reason: 'io' } });
  expect(of('23505')).not.toBeInstanceOf(SvcError);
});
