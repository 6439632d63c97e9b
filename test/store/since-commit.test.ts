import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from '@jest/globals';
import { openSqlite } from '../../src/backends/store/engine/sqlite.js';
import type { Store } from '../../src/backends/store/scope.js';
import { SinceCommit } from '../../src/backends/store/since-commit.js';
import { atOneMoment } from '../../src/core/async/one-moment.js';

const directory = mkdtempSync(join(tmpdir(), 'since-commit-'));
afterAll(() => rmSync(directory, { recursive: true }));

const set = (store: Store, value: number) =>
  store.write(async ({ db }) => {
    await db
      .insertInto('counter')
      .values({ name: 'n', value })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
      .execute();
  });

/** A value of the store, and how often it was read. */
function counted(store: Store) {
  const counts = { reads: 0, fail: false };
  let held: Promise<void> = Promise.resolve();
  const read = async (): Promise<number> => {
    counts.reads += 1;
    if (counts.fail) throw new Error('no answer');
    const row = await store.db.selectFrom('counter').select('value').where('name', '=', 'n').executeTakeFirst();
    await held;
    return row?.value ?? 0;
  };
  /** Holds reads between their statement and their answer until the function that it returns is called. */
  const hold = (): (() => void) => {
    let release = (): void => undefined;
    held = new Promise<void>((resolve) => {
      release = resolve;
    });
    return release;
  };
  return {
    counts,
    hold,
    value: new SinceCommit(store, read, { owner: counts, name: 'n' }),
    unshared: new SinceCommit(store, read),
  };
}

it('a value is read again after each commit, of this connection or another, and not in between', async () => {
  const [store, other] = [await openSqlite(join(directory, 'a.sqlite')), await openSqlite(join(directory, 'a.sqlite'))];
  const { counts, value } = counted(store);
  expect([await value.current(), await value.current()]).toEqual([0, 0]);
  expect(counts.reads).toBe(1);
  await set(store, 1);
  expect([await value.current(), await value.current()]).toEqual([1, 1]);
  await set(other, 2);
  expect([await value.current(), await value.current()]).toEqual([2, 2]);
  expect(counts.reads).toBe(3);
  await Promise.all([store.close(), other.close()]);
});

it('what is read while a commit arrives is read again, and a failure is not kept', async () => {
  const store = await openSqlite(join(directory, 'b.sqlite'));
  const { counts, value, hold } = counted(store);
  await set(store, 1);
  const release = hold();
  const before = value.current();
  await set(store, 2);
  release();
  expect(await before).toBe(1);
  expect(await value.current()).toBe(2);
  counts.fail = true;
  await set(store, 3);
  await expect(value.current()).rejects.toThrow('no answer');
  counts.fail = false;
  expect(await value.current()).toBe(3);
  await store.close();
});

it('a store that does not tell of commits is read at each call, and once in a request at one moment', async () => {
  const store = await openSqlite(':memory:');
  const { counts, value, unshared } = counted(store);
  await value.current();
  await value.current();
  expect(counts.reads).toBe(2);
  await atOneMoment(async () => {
    await set(store, 1);
    expect([await value.current(), await value.current()]).toEqual([1, 1]);
  });
  expect(counts.reads).toBe(3);
  await atOneMoment(async () => {
    expect(await unshared.current()).toBe(1);
    await set(store, 2);
    expect(await unshared.current()).toBe(2);
  });
  await store.close();
});
