import { expect, it } from '@jest/globals';
import { MemoryFollower } from '../../src/backends/graph/memory/memory-follower.js';
import { openSqlite } from '../../src/backends/store/engine/sqlite.js';
import type { ApplyStep } from '../../src/ledger/follower.js';
import { Followers } from '../../src/ledger/followers/followers.js';
import { Ledger } from '../../src/ledger/ledger.js';
import { source } from '../contracts/graph/fixture.js';

it('waits for a slow engine without calling a quick one over and over', async () => {
  const store = await openSqlite(':memory:');
  const ledger = new Ledger(store);
  /** Answers after a turn of the event loop, as an engine on another machine does. */
  class Slow extends MemoryFollower {
    override async apply(step: ApplyStep): Promise<boolean> {
      await new Promise((resolve) => setTimeout(resolve, 20));
      return super.apply(step);
    }
  }
  const followers = new Followers(store, [new MemoryFollower(), new Slow()], { timeout: 1500 });
  followers.start();
  await ledger.ingestManifest(source('first', { concepts: [{ name: 'Alpha' }] }));
  expect(await followers.applied(await ledger.version())).toEqual([]);
  await ledger.ingestManifest(source('second', { concepts: [{ name: 'Beta' }] }));
  let ticks = 0;
  const ticking = setInterval(() => {
    ticks += 1;
  }, 2);
  expect(await followers.applied(await ledger.version())).toEqual([]);
  clearInterval(ticking);
  // Others had their turn meanwhile.
  expect(ticks).toBeGreaterThan(0);
  await followers.stop();
  await store.close();
});
