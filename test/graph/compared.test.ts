import { expect, it } from '@jest/globals';
import { openSqlite } from '../../src/backends/store/engine/sqlite.js';
import { SvcError } from '../../src/core/errors.js';
import type { ApplyStep } from '../../src/ledger/follower.js';
import { Followers } from '../../src/ledger/followers/followers.js';
import { Ledger } from '../../src/ledger/ledger.js';
import { passage, source } from '../contracts/graph/fixture.js';
import { MemoryFollower } from './memory-follower.js';

class Breaking extends MemoryFollower {
  down = false;
  override async apply(step: ApplyStep): Promise<boolean> {
    if (this.down) throw new SvcError('unavailable', 'the engine is down');
    return super.apply(step);
  }
}

it('an engine is compared with the ledger: what it lacks, has otherwise, and has beyond it; nothing is mended', async () => {
  const store = await openSqlite(':memory:');
  const ledger = new Ledger(store);
  const engine = new Breaking();
  const followers = new Followers(store, [engine]);
  followers.start();
  await ledger.ingestManifest(
    source('a', {
      concepts: [{ name: 'Alpha' }, { name: 'Beta' }, { name: 'Gamma' }],
      edges: [{ source: 'Alpha', target: 'Beta', relation: 'REQUIRES' }],
      passages: [passage('p', {})],
    }),
  );
  const compared = async () => (await followers.compare()).get('memory');
  const whole = { records: expect.any(Number), missing: 0, different: 0, stale: 0 };
  expect(await compared()).toEqual(whole);
  // Changes that it has not applied yet are no difference.
  await ledger.ingestManifest(source('b', { concepts: [{ name: 'Delta' }] }));
  expect(await compared()).toEqual(whole);
  await followers.resync('memory');
  const [first, second] = engine.nodes.keys();
  engine.nodes.delete(first!);
  engine.edges.clear();
  engine.nodes.set(999, engine.nodes.get(second!)!);
  const found = { ...whole, missing: 2, stale: 1 };
  expect(await compared()).toEqual(found);
  expect(await compared()).toEqual(found);
  await followers.resync('memory');
  engine.down = true;
  await ledger.ingestManifest(source('c', { concepts: [{ name: 'Epsilon' }] }));
  expect(await compared()).toEqual(expect.objectContaining({ message: 'the engine is down' }));
  await followers.stop();
  await store.close();
});
