import { describe, expect, it } from '@jest/globals';
import { openSqlite } from '../../src/backends/store/engine/sqlite.js';
import { systemClock } from '../../src/core/clock.js';
import { Followers } from '../../src/ledger/followers/followers.js';
import { FollowerRunner } from '../../src/ledger/followers/runner.js';
import { TakenOver } from '../../src/ledger/followers/taken-over.js';
import { Ledger } from '../../src/ledger/ledger.js';
import { source } from '../contracts/graph/fixture.js';
import { MemoryFollower } from './memory-follower.js';

/** A service with a ledger of its own, and what follows it. */
async function service(engine: MemoryFollower, concepts: readonly string[], clock = systemClock) {
  const store = await openSqlite(':memory:');
  const ledger = new Ledger(store);
  const write = (name: string) => ledger.ingestManifest(source(name, { concepts: [{ name }] }));
  for (const name of concepts) await write(name);
  return { store, runner: new FollowerRunner(engine, store, clock), write };
}

describe('an engine that two services with ledgers of their own use', () => {
  it('goes to the one that came last; the other says so instead of writing it anew for ever', async () => {
    const engine = new MemoryFollower();
    const first = await service(engine, ['A', 'B', 'C']);
    const second = await service(engine, ['D']);
    await first.runner.catchUp();
    await second.runner.catchUp();
    expect(engine.nodes.size).toBe(1);
    await first.write('E');
    await expect(first.runner.catchUp()).rejects.toBeInstanceOf(TakenOver);
    expect(engine.nodes.size).toBe(1);
    expect(await first.runner.status()).toMatchObject({
      state: 'degraded',
      behind: null,
      error: expect.stringContaining('taken over by a service with another data directory'),
    });
    await second.write('F');
    await second.runner.catchUp();
    expect(engine.nodes.size).toBe(2);
    await Promise.all([first.store.close(), second.store.close()]);
  });

  it('is noticed within ten seconds where nothing is written', async () => {
    let now = Date.now();
    const engine = new MemoryFollower();
    const first = await service(engine, ['A', 'B'], () => now);
    const second = await service(engine, ['C']);
    await first.runner.catchUp();
    await second.runner.catchUp();
    await first.runner.catchUp();
    expect(first.runner.takenOver).toBeNull();
    now += 10_000;
    await expect(first.runner.catchUp()).rejects.toThrow('taken over');
    expect(first.runner.takenOver).toBeInstanceOf(TakenOver);
    await Promise.all([first.store.close(), second.store.close()]);
  });

  it('is taken back by a resync or a new start, and by nothing else', async () => {
    const engine = new MemoryFollower();
    const first = await service(engine, ['A', 'B', 'C']);
    const second = await service(engine, ['D']);
    await first.runner.catchUp();
    await second.runner.catchUp();
    await first.runner.resync();
    expect(engine.nodes.size).toBe(3);
    await second.write('E');
    await expect(second.runner.catchUp()).rejects.toBeInstanceOf(TakenOver);
    await new FollowerRunner(engine, second.store, systemClock).catchUp();
    expect(engine.nodes.size).toBe(2);
    await Promise.all([first.store.close(), second.store.close()]);
  });

  it('lets a resync of one end while the other one had begun its own', async () => {
    const engine = new MemoryFollower();
    const first = await service(engine, ['A', 'B', 'C']);
    const second = await service(engine, ['D']);
    await first.runner.catchUp();
    await second.runner.catchUp();
    const from = (await engine.cursor())!;
    await engine.move({ from, to: { ...from, sync: { kind: 'node', after: 0 } } });
    await first.runner.resync();
    expect(engine.nodes.size).toBe(3);
    await Promise.all([first.store.close(), second.store.close()]);
  });

  it('refuses writes with that reason, not as an engine that is down', async () => {
    const engine = new MemoryFollower();
    const first = await service(engine, ['A']);
    const followers = new Followers(first.store, [engine], { timeout: 1500, poll: 10 });
    followers.start();
    await followers.applied(1);
    const second = await service(engine, ['B']);
    await second.runner.catchUp();
    await first.write('C');
    await followers.applied(2);
    expect(() => followers.ready()).toThrow(TakenOver);
    await followers.stop();
    await Promise.all([first.store.close(), second.store.close()]);
  });

  it('is filled again within ten seconds where somebody emptied it', async () => {
    let now = Date.now();
    const emptied = new MemoryFollower();
    let engine = emptied;
    const proxy = new Proxy(emptied, {
      get: (_, name) => Reflect.get(engine, name).bind?.(engine) ?? Reflect.get(engine, name),
    });
    const { store, runner } = await service(proxy, ['A', 'B'], () => now);
    await runner.catchUp();
    engine = new MemoryFollower();
    await runner.catchUp();
    expect(engine.nodes.size).toBe(0);
    now += 10_000;
    await runner.catchUp();
    expect(engine.nodes.size).toBe(2);
    await store.close();
  });
});
