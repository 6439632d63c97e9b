import { expect, it } from '@jest/globals';
import { openSqlite } from '../../src/backends/store/engine/sqlite.js';
import { appendChange, CHANGE_LIMITS, changesAfter } from '../../src/ledger/changes.js';
import { ChangeBuilder } from '../../src/ledger/write/change-builder.js';

it('gives way to the event loop while many large changes are read', async () => {
  const store = await openSqlite(':memory:');
  const change = new ChangeBuilder();
  for (let ref = 1; ref <= 20_000; ref += 1) change.setNode(ref, { domain: 1, kind: 1, hash: ref * 7919 });
  for (let i = 0; i < 20; i += 1) await store.write(({ db }) => appendChange(db, change, CHANGE_LIMITS));
  let turns = 0;
  const turn = () => {
    turns += 1;
    next = setImmediate(turn);
  };
  let next = setImmediate(turn);
  const changes = await changesAfter(store.db, 0);
  clearImmediate(next);
  expect(changes!.map(({ version, nodes }) => [version, nodes.size])).toEqual(
    Array.from({ length: 20 }, (_, i) => [i + 1, 20_000]),
  );
  expect(turns).toBeGreaterThan(2);
  await store.close();
});
