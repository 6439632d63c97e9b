import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { type KyselyPlugin, sql } from 'kysely';
import { openSqlite } from '../../src/backends/store/engine/sqlite.js';
import type { Store } from '../../src/backends/store/scope.js';
import { atOneMoment } from '../../src/core/async/one-moment.js';
import { CurrentVersion } from '../../src/ledger/read/current-version.js';

const directories: string[] = [];

afterEach(() => {
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true });
});

function file(): string {
  const directory = mkdtempSync(join(tmpdir(), 'current-version-'));
  directories.push(directory);
  return join(directory, 'svc.sqlite');
}

/** Returns the store with its readings counted; one at a distance tells nothing of commits, as a server's. */
function counted(store: Store, { atADistance = false } = {}) {
  let statements = 0;
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => {
      statements += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const { lastCommit, ...silent } = store;
  const tells = atADistance || lastCommit === undefined ? {} : { lastCommit };
  const reading: Store = { ...silent, ...tells, db: store.db.withPlugin(plugin) };
  return { version: new CurrentVersion(reading), statements: () => statements };
}

const change = (store: Store) =>
  store.write(({ db }) => sql`update graph_meta set version = version + 1 where id = 1`.execute(db));

describe('the current version', () => {
  it('is read again only after a commit, whoever wrote', async () => {
    const path = file();
    const store = await openSqlite(path);
    const another = await openSqlite(path);
    const { version, statements } = counted(store);
    for (let i = 0; i < 10; i += 1) expect(await version.read()).toBe(0);
    expect(statements()).toBe(1);
    await change(store);
    expect([await version.read(), await version.read()]).toEqual([1, 1]);
    await change(another);
    expect([await version.read(), await version.read()]).toEqual([2, 2]);
    expect(statements()).toBe(3);
    await another.close();
    await store.close();
  });

  it('is never older than a write that ended before, with many writers and readers', async () => {
    const store = await openSqlite(file());
    const { version } = counted(store);
    let written = 0;
    const writer = async () => {
      for (let i = 0; i < 40; i += 1) {
        await change(store);
        written += 1;
        const least = written;
        expect(await version.read()).toBeGreaterThanOrEqual(least);
      }
    };
    await Promise.all(Array.from({ length: 5 }, writer));
    expect(await version.read()).toBe(200);
    await store.close();
  });

  it('is read each time where one connection reads and writes', async () => {
    const store = await openSqlite(':memory:');
    const { version } = counted(store);
    expect(await version.read()).toBe(0);
    await change(store);
    expect(await version.read()).toBe(1);
    await store.close();
  });

  it('is read once in a request at one moment where the store does not tell of commits', async () => {
    const store = await openSqlite(file());
    const { version, statements } = counted(store, { atADistance: true });
    const request = () => atOneMoment(async () => [await version.read(), await version.read(), await version.read()]);
    expect(await request()).toEqual([0, 0, 0]);
    expect(statements()).toBe(1);
    await change(store);
    expect(await request()).toEqual([1, 1, 1]);
    expect(statements()).toBe(2);
    expect([await version.read(), await version.read()]).toEqual([1, 1]);
    expect(statements()).toBe(4);
    await store.close();
  });
});
