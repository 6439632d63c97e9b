import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { openSqlite } from '../../src/backends/store/engine/sqlite.js';
import type { Store } from '../../src/backends/store/scope.js';
import { systemClock } from '../../src/core/clock.js';
import { SvcError } from '../../src/core/errors.js';
import { conceptId } from '../../src/core/ids.js';
import type { ApplyStep, SyncStep } from '../../src/ledger/follower.js';
import { Followers } from '../../src/ledger/followers/followers.js';
import { FollowerRunner } from '../../src/ledger/followers/runner.js';
import { Ledger } from '../../src/ledger/ledger.js';
import { D, mentions, passage, source } from '../contracts/graph/fixture.js';
import { MemoryFollower } from './memory-follower.js';

const LIMITS = { changes: 5, bytes: 2 ** 20 };

/** An engine that breaks where the test says: before a step is kept, or after it without its answer arriving. */
class Breaking extends MemoryFollower {
  plan: Array<'before' | 'after' | 'refuse'> = [];
  override apply(step: ApplyStep): Promise<boolean> {
    return this.broken(() => super.apply(step));
  }
  override sync(step: SyncStep) {
    return this.broken(() => super.sync(step));
  }
  private async broken<T>(work: () => Promise<T>): Promise<T> {
    const next = this.plan.shift();
    if (next === 'refuse') throw new Error('too large for this engine');
    if (next === 'before') throw new SvcError('unavailable', 'the engine is down');
    const done = await work();
    if (next === 'after') throw new SvcError('unavailable', 'the connection broke');
    return done;
  }
}

/** An engine that does not take some nodes. */
class Refusing extends MemoryFollower {
  readonly refused = new Set<number>();
  all = false;
  override async apply(step: ApplyStep): Promise<boolean> {
    this.check(step.change.records);
    return super.apply(step);
  }
  override async sync(step: SyncStep) {
    if (step.range.kind === 'node') this.check(step.range.records.map(({ ref }) => ref));
    return super.sync(step);
  }
  private check(refs: Iterable<number>): void {
    for (const ref of refs) if (this.all || this.refused.has(ref)) throw new Error('too large for this engine');
  }
}

/** Everything that an engine holds, in an order of its own. */
function shapeOf(engine: MemoryFollower) {
  const sorted = <V>(map: ReadonlyMap<number, V>, form: (value: V) => unknown) =>
    [...map].sort((a, b) => a[0] - b[0]).map(([ref, value]) => [ref, form(value)]);
  const pairs = (map: ReadonlyMap<number, unknown>) => [...map].sort((a, b) => a[0] - b[0]);
  return {
    nodes: sorted(engine.nodes, ({ domain, kind, hash }) => [domain, kind, hash]),
    keys: sorted(engine.keyNodes, (node) => node),
    about: sorted(engine.about, pairs).filter(([, nodes]) => (nodes as unknown[]).length > 0),
    mentions: sorted(engine.mentions, pairs).filter(([, keys]) => (keys as unknown[]).length > 0),
    edges: sorted(engine.edges, ({ src, dst, relation, confidence }) => [src, dst, relation, confidence]),
  };
}

async function freshShape(store: Store) {
  const engine = new MemoryFollower();
  await new FollowerRunner(engine, store, systemClock).resync();
  return shapeOf(engine);
}

const names = ['Alpha', 'Beta', 'Gamma', 'Delta'];
const name = fc.constantFrom(...names);
const write = fc.oneof(
  fc.record({
    do: fc.constant('ingest' as const),
    key: fc.constantFrom('a', 'b', 'c'),
    concepts: fc.array(name, { maxLength: 3 }),
    edges: fc.array(fc.tuple(name, name), { maxLength: 2 }),
    mentioned: fc.array(name, { maxLength: 3 }),
    titled: fc.option(name, { nil: undefined }),
  }),
  fc.record({ do: fc.constant('forget' as const), key: fc.constantFrom('a', 'b', 'c') }),
);
type Write = typeof write extends fc.Arbitrary<infer T> ? T : never;

async function perform(ledger: Ledger, step: Write): Promise<void> {
  if (step.do === 'forget') {
    const found = (await ledger.listSources({})).find((one) => one.key === step.key);
    if (found !== undefined) await ledger.forgetSource(found.source_id);
    return;
  }
  const { key, concepts, edges, mentioned, titled } = step;
  await ledger.ingestManifest(
    source(key, {
      concepts: [...new Set(concepts)].map((one) => ({ name: one })),
      edges: edges.map(([from, to]) => ({ source: from, target: to, relation: 'uses' })),
      passages: [
        passage(`${key}-passage`, {
          mentions: mentions(...mentioned),
          ...(titled === undefined ? {} : { titles: [titled] }),
        }),
      ],
    }),
  );
}

describe('an engine that follows the ledger', () => {
  it('equals it after any interleaving of writes, crashes and repetitions', async () => {
    const faults = fc.array(fc.constantFrom('before' as const, 'after' as const, 'refuse' as const), { maxLength: 4 });
    const action = fc.oneof(
      { weight: 3, arbitrary: fc.record({ write }) },
      { weight: 2, arbitrary: fc.record({ follow: faults, restart: fc.boolean() }) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 3, maxLength: 14 }), async (actions) => {
        const store = await openSqlite(':memory:');
        try {
          const ledger = new Ledger(store, { changes: LIMITS });
          const engine = new Breaking();
          let runner = new FollowerRunner(engine, store, systemClock, 0);
          const other = new FollowerRunner(engine, store, systemClock, 0);
          for (const one of actions) {
            if ('write' in one) {
              await perform(ledger, one.write);
              continue;
            }
            engine.plan = [...one.follow];
            if (one.restart) runner = new FollowerRunner(engine, store, systemClock, 0);
            await Promise.all([runner.catchUp().catch(() => {}), other.catchUp().catch(() => {})]);
          }
          engine.plan = [];
          await Promise.all([runner.catchUp(), other.catchUp()]);
          expect(shapeOf(engine)).toEqual(await freshShape(store));
          expect((await engine.cursor())?.version).toBe(await ledger.version());
        } finally {
          await store.close();
        }
      }),
      { numRuns: 60 },
    );
  });

  it('is resynced where the changes since its cursor are no longer kept, writing differences only', async () => {
    const store = await openSqlite(':memory:');
    const ledger = new Ledger(store, { changes: LIMITS });
    const engine = new MemoryFollower();
    const runner = new FollowerRunner(engine, store, systemClock);
    for (const key of ['a', 'b']) await ledger.ingestManifest(source(key, { concepts: [{ name: `Old ${key}` }] }));
    await runner.resync();
    for (let i = 0; i < 9; i += 1) await ledger.ingestManifest(source(`n${i}`, { concepts: [{ name: `New ${i}` }] }));
    await runner.catchUp();
    expect(shapeOf(engine)).toEqual(await freshShape(store));
    expect(await runner.resync()).toMatchObject({ seen: 11, written: 0, removed: 0 });
    await store.close();
  });

  it('that is down holds up only itself, and is named by whoever waits for it', async () => {
    const store = await openSqlite(':memory:');
    const ledger = new Ledger(store);
    const engine = new Breaking();
    const followers = new Followers(store, [engine], { timeout: 2000, poll: 10 });
    followers.start();
    await ledger.ingestManifest(source('a', { concepts: [{ name: 'First' }] }));
    expect(await followers.applied(await ledger.version())).toEqual([]);
    engine.plan = Array.from({ length: 5000 }, () => 'before' as const);
    await ledger.ingestManifest(source('b', { concepts: [{ name: 'Second' }] }));
    expect(await followers.applied(await ledger.version())).toEqual([expect.stringContaining('memory')]);
    const [status] = await followers.status();
    expect(status).toMatchObject({ engine: 'memory', state: 'degraded', error: 'the engine is down' });
    expect(() => followers.ready()).toThrow(expect.objectContaining({ code: 'unavailable' }));
    engine.plan = [];
    expect((await followers.resync('memory')).get('memory')).toMatchObject({ seen: 2 });
    expect(await followers.applied(await ledger.version())).toEqual([]);
    expect((await followers.status())[0]).toMatchObject({ state: 'following', behind: 0, error: null });
    followers.ready();
    await followers.stop();
    await store.close();
  });

  describe('that refuses some records', () => {
    const refusing = async () => {
      const store = await openSqlite(':memory:');
      const ledger = new Ledger(store);
      const engine = new Refusing();
      const runner = new FollowerRunner(engine, store, systemClock, 0);
      await runner.catchUp();
      for (const name of ['Bad', 'Worse']) {
        await ledger.ingestManifest(source(name, { concepts: [{ name }] }));
      }
      for (const { ref, name } of await store.db.selectFrom('node').select(['ref', 'name']).execute()) {
        if (['Bad', 'Worse'].includes(name)) engine.refused.add(ref);
      }
      return { store, ledger, engine, runner };
    };
    const names = async (store: Store, engine: MemoryFollower) => {
      const rows = await store.db.selectFrom('node').select(['ref', 'name']).execute();
      return rows.flatMap(({ ref, name }) => (engine.nodes.has(ref) ? [name] : [])).sort();
    };

    it('takes all others of the same change and of later ones, and status names those', async () => {
      const { store, ledger, engine, runner } = await refusing();
      const concepts = Array.from({ length: 30 }, (_, i) => ({ name: `Good ${i}` }));
      await ledger.ingestManifest(source('many', { concepts: [...concepts, { name: 'Bad', confidence: 1 }] }));
      await runner.catchUp();
      expect(await names(store, engine)).toEqual(concepts.map(({ name }) => name).sort());
      const status = await runner.status();
      expect(status).toMatchObject({ state: 'following', behind: 0, error: null, refused: { count: 2 } });
      expect(status.refused?.records.map(({ kind, id, error }) => [kind, id, error]).sort()).toEqual(
        [
          ['node', conceptId(D, 'Bad'), 'too large for this engine'],
          ['node', conceptId(D, 'Worse'), 'too large for this engine'],
        ].sort(),
      );
      await ledger.ingestManifest(source('later', { concepts: [{ name: 'Later' }] }));
      await runner.catchUp();
      expect(await names(store, engine)).toContain('Later');
      await store.close();
    });

    it('takes them once it does, by itself, in this process or the next', async () => {
      const { store, engine, runner } = await refusing();
      await runner.catchUp();
      engine.refused.clear();
      await new FollowerRunner(engine, store, systemClock).catchUp();
      expect((await runner.status()).refused).toBeUndefined();
      expect(shapeOf(engine)).toEqual(await freshShape(store));
      await store.close();
    });

    it('gets all others by ranges too, and keeps no former state of those', async () => {
      const { store, ledger, engine, runner } = await refusing();
      const concepts = Array.from({ length: 30 }, (_, i) => ({ name: `Good ${i}` }));
      const refused = [...engine.refused];
      engine.refused.clear();
      await ledger.ingestManifest(source('many', { concepts }));
      await runner.catchUp();
      await ledger.ingestManifest(source('Bad', { concepts: [{ name: 'Bad', description: 'otherwise' }] }));
      engine.refused.add(refused[0]!);
      await new FollowerRunner(engine, store, systemClock).resync();
      expect(await names(store, engine)).toEqual(['Worse', ...concepts.map(({ name }) => name)].sort());
      expect((await runner.status()).refused?.records.map(({ id }) => id)).toEqual([conceptId(D, 'Bad')]);
      await store.close();
    });

    it('gets them with a resync, however long they would rest', async () => {
      const { store, engine } = await refusing();
      const runner = new FollowerRunner(engine, store, systemClock);
      await runner.catchUp();
      engine.refused.clear();
      await runner.catchUp();
      expect((await runner.status()).refused).toMatchObject({ count: 2 });
      await runner.resync();
      expect(await runner.status()).not.toHaveProperty('refused');
      expect(shapeOf(engine)).toEqual(await freshShape(store));
      await store.close();
    });

    it('is taken for broken where it refuses everything', async () => {
      const { store, ledger, engine, runner } = await refusing();
      const concepts = Array.from({ length: 200 }, (_, i) => ({ name: `Good ${i}` }));
      await ledger.ingestManifest(source('many', { concepts }));
      engine.all = true;
      // However often it is tried: nothing is passed by, in changes and in ranges.
      for (let pass = 0; pass < 5; pass += 1) {
        await expect(pass < 3 ? runner.catchUp() : runner.resync()).rejects.toThrow('too large');
        const status = await runner.status();
        expect([status.state, status]).toEqual([
          'degraded',
          expect.not.objectContaining({ refused: expect.anything() }),
        ]);
      }
      engine.all = false;
      engine.refused.clear();
      await runner.catchUp();
      expect(await runner.status()).not.toHaveProperty('refused');
      expect(shapeOf(engine)).toEqual(await freshShape(store));
      await store.close();
    });
  });

  it('is resynced after a restore', async () => {
    const store = await openSqlite(':memory:');
    const ledger = new Ledger(store);
    const engine = new MemoryFollower();
    const runner = new FollowerRunner(engine, store, systemClock);
    await ledger.ingestManifest(source('a', { concepts: [{ name: 'First' }] }));
    const id = await ledger.checkpoint();
    await ledger.ingestManifest(source('a', { concepts: [{ name: 'Second' }, { name: 'Third' }] }));
    await runner.catchUp();
    await ledger.restore(id);
    await runner.catchUp();
    expect(shapeOf(engine)).toEqual(await freshShape(store));
    expect(engine.nodes.size).toBe(1);
    await store.close();
  });
});
