import { afterEach, beforeEach, expect, it } from '@jest/globals';
import Sqlite from 'better-sqlite3';
import { keepPrepared } from '../../src/backends/store/engine/prepared.js';

let library: Sqlite.Database;
let kept: Sqlite.Database;
beforeEach(() => {
  library = new Sqlite(':memory:');
  kept = new Sqlite(':memory:');
  keepPrepared(kept);
  for (const database of [library, kept]) {
    database.exec('create table item (id integer primary key, name text, weight real, body blob)');
    const insert = database.prepare('insert into item (name, weight, body) values (?, ?, ?) returning *');
    for (let i = 0; i < 5; i += 1) insert.all(i % 2 === 0 ? `item ${i}` : null, i / 3, Buffer.from([i]));
  }
});
afterEach(() => {
  library.close();
  kept.close();
});

it.each([
  ['select * from item order by id'],
  ['select id, weight as name, name as weight from item'],
  ['select id, name, id + 1 as id from item'],
  ['select count(*) as "count", max(weight) from item'],
  ['select * from item where id > 100'],
  ['update item set weight = weight * 2 returning id, weight'],
])('builds the rows that the library builds: %s', (sql) => {
  for (let time = 0; time < 2; time += 1) expect(kept.prepare(sql).all()).toEqual(library.prepare(sql).all());
});

it('follows a table that gets another column, and leaves single rows and cursors as they are', () => {
  const all = 'select * from item order by id';
  expect(kept.prepare(all).all()).toEqual(library.prepare(all).all());
  for (const database of [library, kept]) database.exec("alter table item add column colour text default 'red'");
  expect(kept.prepare(all).all()).toEqual(library.prepare(all).all());
  expect(kept.prepare(all).get()).toEqual(library.prepare(all).get());
  expect([...kept.prepare(all).iterate()]).toEqual([...library.prepare(all).iterate()]);
});
