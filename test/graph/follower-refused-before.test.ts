import { expect, it } from '@jest/globals';
import { openSqlite } from '../../src/backends/store/engine/sqlite.js';
import { systemClock } from '../../src/core/clock.js';
import type { ApplyStep, SyncStep } from '../../src/ledger/follower.js';
import { FollowerRunner } from '../../src/ledger/followers/runner.js';
import { Ledger } from '../../src/ledger/ledger.js';
import { passage, source } from '../contracts/graph/fixture.js';
import { MemoryFollower } from './memory-follower.js';

class Refusing extends MemoryFollower {
  refuses = true;
  override async apply(step: ApplyStep): Promise<boolean> {
    if (this.refuses && step.change.records.size > 0) throw new Error('too large');
    return super.apply(step);
  }
  override async sync(step: SyncStep) {
    if (this.refuses && step.range.kind === 'node' && step.range.records.length > 0) throw new Error('too large');
    return super.sync(step);
  }
}

it('a node that was refused comes with the next change of its text', async () => {
  const store = await openSqlite(':memory:');
  const ledger = new Ledger(store);
  const engine = new Refusing();
  const runner = new FollowerRunner(engine, store, systemClock);
  await ledger.ingestManifest(source('c', { passages: [passage('c-passage', {})] }));
  await runner.catchUp();
  expect(engine.nodes.size).toBe(0);
  expect((await runner.status()).refused).toMatchObject({ count: 1 });
  engine.refuses = false;
  await ledger.ingestManifest(source('c', { passages: [passage('c-passage', { titles: ['Alpha'] })] }));
  await runner.catchUp();
  expect(engine.nodes.size).toBe(1);
  expect((await runner.status()).refused).toBeUndefined();
  await store.close();
});
