import { expect, it } from '@jest/globals';
import { openSqlite } from '../../src/backends/store/engine/sqlite.js';
import { systemClock } from '../../src/core/clock.js';
import { FollowerRunner } from '../../src/ledger/followers/runner.js';
import { Ledger } from '../../src/ledger/ledger.js';
import { source } from '../contracts/graph/fixture.js';
import { MemoryFollower } from './memory-follower.js';

it('a resync counts records whose fingerprint a change dropped apart from those that differed', async () => {
  const store = await openSqlite(':memory:');
  const ledger = new Ledger(store);
  const engine = new MemoryFollower();
  const runner = new FollowerRunner(engine, store, systemClock);
  await ledger.ingestManifest(source('a', { concepts: [{ name: 'First' }] }));
  await runner.resync();
  await ledger.ingestManifest(source('b', { concepts: [{ name: 'Second' }] }));
  await runner.catchUp();
  // The engine has the node `Second`, but only ranges bring fingerprints.
  expect(await runner.resync()).toMatchObject({ written: 0, rewritten: 1, removed: 0 });
  engine.nodes.clear();
  expect(await runner.resync()).toMatchObject({ written: 2, rewritten: 0, removed: 0 });
  await store.close();
});
