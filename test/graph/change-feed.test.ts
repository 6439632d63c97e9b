import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { EmbeddedBackend } from '../../src/backends/graph/embedded.js';
import { openSqlite } from '../../src/backends/store/engine/sqlite.js';
import type { Store } from '../../src/backends/store/scope.js';
import { ChangeFeed } from '../../src/ledger/change-feed.js';
import { appendChange, CHANGE_LIMITS } from '../../src/ledger/changes.js';
import { ChangeBuilder } from '../../src/ledger/write/change-builder.js';
import { id, source } from '../contracts/graph/fixture.js';

let store: Store;
beforeEach(async () => {
  store = await openSqlite(':memory:');
});
afterEach(() => store.close());

/** Appends a change of this many records that no node has; returns the version after it. */
function append(records: number): Promise<number> {
  const change = new ChangeBuilder();
  for (let i = 0; i < records; i += 1) change.records.add(1_000_000 + i);
  return store.write(({ db }) => appendChange(db, change, CHANGE_LIMITS));
}

it('gives way to the event loop between changes that take listeners long', async () => {
  const feed = new ChangeFeed(store);
  await feed.reach(0);
  let version = 0;
  for (let i = 0; i < 5; i += 1) version = await append(1);
  let turn = 0;
  const count = () => {
    turn += 1;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  const heard: Array<readonly [version: number, turn: number]> = [];
  feed.listen((_, to) => {
    heard.push([to, turn]);
    const end = performance.now() + 10;
    while (performance.now() < end);
  });
  await feed.reach(version);
  clearImmediate(next);
  expect(heard.map(([to]) => to)).toEqual([1, 2, 3, 4, 5]);
  expect(new Set(heard.map(([, at]) => at)).size).toBe(5);
});

it.each([
  [100, true],
  [20_000, false],
])('after a change of %d other records a row is still remembered: %s', async (records, remembered) => {
  const graph = new EmbeddedBackend(store);
  await graph.ingestManifest(source('a', { concepts: [{ name: 'Alpha', description: 'First.' }] }));
  const [before] = await graph.getNodes([id('Alpha')]);
  await append(records);
  const [after] = await graph.getNodes([id('Alpha')]);
  expect(after).toEqual(before);
  expect(after === before).toBe(remembered);
});

it.each([
  [100, true],
  [50_000, false],
])('a row with %d characters of properties is remembered: %s', async (length, remembered) => {
  const graph = new EmbeddedBackend(store);
  const properties = { note: 'x'.repeat(length) };
  await graph.ingestManifest(source('a', { concepts: [{ name: 'Alpha', description: 'First.', properties }] }));
  const [first] = await graph.getNodes([id('Alpha')]);
  const [second] = await graph.getNodes([id('Alpha')]);
  expect(second).toEqual(first);
  expect(second === first).toBe(remembered);
});
