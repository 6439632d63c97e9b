import { expect, it } from '@jest/globals';
import { openSqlite } from '../../src/backends/store/engine/sqlite.js';
import { SvcError } from '../../src/core/errors.js';
import type { ApplyStep, SyncStep } from '../../src/ledger/follower.js';
import { Followers } from '../../src/ledger/followers/followers.js';
import { Ledger } from '../../src/ledger/ledger.js';
import { source } from '../contracts/graph/fixture.js';
import { waitFor } from '../support/wait-for.js';
import { MemoryFollower } from './memory-follower.js';

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
  const followers = new Followers(store, [new MemoryFollower(), new Slow()], { timeout: 20_000 });
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

/** Takes the first step, and holds each later one until `release` is called. */
class Held extends MemoryFollower {
  steps = 0;
  release: () => void = () => undefined;
  override apply(step: ApplyStep): Promise<boolean> {
    return this.held(() => super.apply(step));
  }
  override sync(step: SyncStep) {
    return this.held(() => super.sync(step));
  }
  private async held<T>(work: () => Promise<T>): Promise<T> {
    this.steps += 1;
    if (this.steps > 1) {
      await new Promise<void>((resolve) => {
        this.release = resolve;
      });
    }
    return work();
  }
}

it('answers for a write that an engine has, while the engine goes on with later ones', async () => {
  const store = await openSqlite(':memory:');
  const ledger = new Ledger(store);
  const engine = new Held();
  const followers = new Followers(store, [engine], { timeout: 60_000 });
  engine.steps = Number.NEGATIVE_INFINITY;
  followers.start();
  await ledger.ingestManifest(source('first', { concepts: [{ name: 'Alpha' }] }));
  expect(await followers.applied(await ledger.version())).toEqual([]);
  engine.steps = 0;
  await ledger.ingestManifest(source('second', { concepts: [{ name: 'Beta' }] }));
  const written = await ledger.version();
  const applied = followers.applied(written);
  // Another write comes while the engine takes this one: the run does not end.
  await ledger.ingestManifest(source('third', { concepts: [{ name: 'Gamma' }] }));
  expect(await applied).toEqual([]);
  const stopped = followers.stop();
  engine.release();
  await stopped;
  await store.close();
});

it('begins no step of a resync once it is to stop', async () => {
  const store = await openSqlite(':memory:');
  const ledger = new Ledger(store, { changes: { changes: 1, bytes: 2 ** 20 } });
  for (const key of ['a', 'b', 'c']) await ledger.ingestManifest(source(key, { concepts: [{ name: key }] }));
  const engine = new Held();
  const followers = new Followers(store, [engine]);
  followers.start();
  while (engine.steps < 2) await new Promise((resolve) => setTimeout(resolve, 5));
  const stopped = followers.stop();
  engine.release();
  await stopped;
  expect(engine.steps).toBe(2);
  await store.close();
});

it('a start waits for an engine that answers, and not for one that is down', async () => {
  const store = await openSqlite(':memory:');
  const ledger = new Ledger(store);
  await ledger.ingestManifest(source('first', { concepts: [{ name: 'Alpha' }] }));
  let isUp = false;
  /** Takes a while to answer, or to refuse. */
  class Starting extends MemoryFollower {
    override async cursor() {
      await new Promise((resolve) => setTimeout(resolve, 20));
      if (!isUp) throw new SvcError('unavailable', 'the engine is down');
      return super.cursor();
    }
  }
  const started = async (follower: MemoryFollower): Promise<Followers> => {
    const followers = new Followers(store, [follower], { timeout: 3_600_000, poll: 10 });
    followers.start();
    await followers.appliedIfUp(await ledger.version());
    return followers;
  };
  const [engine, other] = [new Starting(), new Starting()];
  const down = await started(engine);
  expect(await down.status()).toMatchObject([{ state: 'degraded', behind: null }]);
  isUp = true;
  const up = await started(other);
  expect(other.nodes.size).toBe(1);
  await waitFor(() => expect(engine.nodes.size).toBe(1), { timeout: 20_000 });
  await Promise.all([down.stop(), up.stop()]);
  await store.close();
});
