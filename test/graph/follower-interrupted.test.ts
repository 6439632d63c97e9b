import { expect, it } from '@jest/globals';
import { openSqlite } from '../../src/backends/store/engine/sqlite.js';
import { systemClock } from '../../src/core/clock.js';
import { SvcError } from '../../src/core/errors.js';
import type { ApplyStep, EngineCursor } from '../../src/ledger/follower.js';
import { FollowerRunner } from '../../src/ledger/followers/runner.js';
import { Ledger } from '../../src/ledger/ledger.js';
import { source } from '../contracts/graph/fixture.js';
import { MemoryFollower } from './memory-follower.js';

/** An engine that refuses edges and then does not answer, for as long as it is out of order. */
class OutOfOrder extends MemoryFollower {
  isOut = false;
  override async apply(step: ApplyStep): Promise<boolean> {
    if (this.isOut && step.change.edges.size > 0) throw new Error('too large');
    return super.apply(step);
  }
  override async move(step: { readonly from: EngineCursor | null; readonly to: EngineCursor }): Promise<boolean> {
    if (this.isOut && step.to.version !== step.from?.version) throw new SvcError('unavailable', 'the engine is down');
    return super.move(step);
  }
}

it('what was passed by in a step that another process did is not left out of the next step', async () => {
  const store = await openSqlite(':memory:');
  const ledger = new Ledger(store);
  const engine = new OutOfOrder();
  const [first, second] = [1, 2].map(() => new FollowerRunner(engine, store, systemClock, 0)) as [
    FollowerRunner,
    FollowerRunner,
  ];
  await first.catchUp();
  await second.catchUp();
  const uses = (confidence: number) =>
    source('a', {
      concepts: [{ name: 'Alpha' }, { name: 'Beta' }],
      edges: [{ source: 'Alpha', target: 'Beta', relation: 'USES', confidence }],
    });
  await ledger.ingestManifest(uses(1));
  engine.isOut = true;
  await expect(first.catchUp()).rejects.toThrow('down');
  engine.isOut = false;
  await second.catchUp();
  await ledger.ingestManifest(uses(0.5));
  await first.catchUp();
  expect([...engine.edges.values()].map(({ confidence }) => confidence)).toEqual([0.5]);
  expect((await first.status()).refused).toBeUndefined();
  await store.close();
});
