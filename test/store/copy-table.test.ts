import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { openSqlite } from '../../src/backends/store/engine/sqlite.js';
import { copyTable } from '../../src/backends/store/move/copy-table.js';
import { firstFilled, requireThisRelease } from '../../src/backends/store/move/empty.js';
import { pagesOf, type Table, tablesOf } from '../../src/backends/store/move/tables.js';
import type { Store } from '../../src/backends/store/scope.js';
import { fillEveryTable, rowsOf } from '../moves/every-table.js';

let source: Store;
let target: Store;
let tables: readonly Table[];
beforeEach(async () => {
  [source, target] = [await openSqlite(':memory:'), await openSqlite(':memory:')];
  tables = await tablesOf(source.db);
});
afterEach(() => Promise.all([source.close(), target.close()]));

const tableNamed = (name: string) => tables.find((table) => table.name === name)!;
const copy = (name: string, onRows: (rows: number) => void = () => undefined) =>
  target.write(({ db }) => copyTable({ source: source.db, target: db }, tableNamed(name), onRows));

it('copies every table as it is, and numbers go on behind those that were given', async () => {
  await fillEveryTable(source, ['migration']);
  await source.write(({ db }) => sql`delete from edit where ref > 100`.execute(db));
  for (const { name } of tables.filter((table) => table.name !== 'migration')) {
    let passed = 0;
    const { rows } = await copy(name, (count) => {
      passed += count;
    });
    expect([name, await rowsOf(target, name), passed]).toEqual([name, await rowsOf(source, name), 2 * rows]);
  }
  const { rows } = await sql`select seq from sqlite_sequence where name = 'edit'`.execute(target.db);
  expect(rows).toEqual([{ seq: 603 }]);
});

it('reads large rows a few megabytes at a time, and every row once', async () => {
  await source.write(async ({ db }) => {
    for (let part = 0; part < 40; part += 1) {
      const row = { checkpoint: `c${part % 3}`, part, name: 'n', body: Buffer.alloc(2 ** 20, part) };
      await db.insertInto('graph_checkpoint_part').values(row).execute();
    }
  });
  const sizes: number[] = [];
  for await (const page of pagesOf(source.db, tableNamed('graph_checkpoint_part'))) sizes.push(page.length);
  expect(sizes.reduce((a, b) => a + b)).toBe(40);
  // The first page comes before anything is known of the rows.
  expect(Math.max(...sizes.slice(1))).toBeLessThanOrEqual(4);
});

it('refuses a copy that reads otherwise, and keeps nothing of it', async () => {
  await fillEveryTable(source, ['migration']);
  await sql`create trigger spoil after insert on rule when new.ref = 77
    begin update rule set confidence = 0.75 where ref = 77; end`.execute(target.db);
  await expect(copy('rule')).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('The table rule reads otherwise'),
  });
  expect(await rowsOf(target, 'rule')).toEqual([]);
});

it('tells a store that somebody wrote to from one that was only started', async () => {
  const names = tables.map(({ name }) => name);
  expect(await firstFilled(target.db, names)).toBeUndefined();
  await target.write(({ db }) => db.insertInto('counter').values({ name: 'n', value: 1 }).execute());
  expect(await firstFilled(target.db, names)).toBe('counter');
});

it('refuses a store of another release', async () => {
  await requireThisRelease(source.db);
  await sql`delete from migration where name = '028-job-progress'`.execute(source.db);
  await expect(requireThisRelease(source.db)).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('start this one on it once'),
  });
  await sql`insert into migration (name, applied_at) values ('999-later', '')`.execute(source.db);
  await expect(requireThisRelease(source.db)).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('newer release (migration 999-later)'),
  });
});
