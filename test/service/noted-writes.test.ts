import { describe, expect, it } from '@jest/globals';
import { isLeased, withLease } from '../../src/backends/store/leases.js';
import type { Store } from '../../src/backends/store/scope.js';
import { deleteAllPendingLoads, listPendingLoads } from '../../src/backends/store/unfinished/pending-loads.js';
import { SvcError } from '../../src/core/errors.js';
import { sourceId } from '../../src/core/ids.js';
import type { Manifest } from '../../src/core/model.js';
import { documentManifest, textDocument } from '../../src/ingest/document.js';
import { forgetDomain, forgetSource } from '../../src/ingest/forget.js';
import { Embedded } from '../../src/ingest/index/embed.js';
import { finishPendingLoads } from '../../src/ingest/write/finish-pending.js';
import { load } from '../../src/ingest/write/load.js';
import { loadInSteps } from '../../src/ingest/write/load-in-steps.js';
import type { LoadPorts } from '../../src/ingest/write/ports.js';
import { snapshot, type TestService, withService } from './harness.js';
import { stations } from './stations.js';

const page = async (seed: number, count: number): Promise<Manifest> => {
  const { text, domain } = stations(seed, count);
  return documentManifest(await textDocument({ text, domain, format: 'markdown', name: 'the page' }));
};

/** The ports with a store that does `before` ahead of each write, which is numbered from 1. */
function watched(ports: LoadPorts, before: (write: number) => Promise<void>): LoadPorts {
  let writes = 0;
  const write: Store['write'] = async (...given) => {
    writes += 1;
    await before(writes);
    return ports.store.write(...given);
  };
  return {
    ...ports,
    store: new Proxy(ports.store, { get: (store, name) => (name === 'write' ? write : store[name as keyof Store]) }),
  };
}

/** The ports of a process that dies after it has noted what it is about to do. */
const dyingOnceNoted = (ports: LoadPorts): LoadPorts =>
  watched(ports, (write) => (write > 1 ? Promise.reject(new Error('died')) : Promise.resolve()));

const finish = (ports: LoadPorts): Promise<number> =>
  finishPendingLoads(ports, {
    minAge: 0,
    onError: (error) => {
      throw error;
    },
  });

const isEachLeased = async ({ store }: LoadPorts): Promise<boolean> => {
  const held = (await store.db.selectFrom('lease').select('name').execute()).map(({ name }) => name);
  return (await listPendingLoads(store.db)).every(({ source_id }) => held.includes(`load:${source_id}`));
};

const concepts = { domain: 'ridge', concepts: [{ name: 'Sextant', description: 'A tool' }] };
const message = (text: string) => ({ domain: 'ridge', session_id: 'watch', role: 'user', text });
const refused = { status: 503, body: { error: expect.stringMatching('another call; try again') } };
/** Writes of a program that uses the graph as a library. */
const libraryWrites = (graph: LoadPorts['graph']): Array<() => Promise<unknown>> => {
  const domain = 'ridge';
  const name = 'Theodolite';
  return [
    () => graph.addNode({ domain, name, description: 'A tool' }),
    () => graph.addEdge({ domain, source: name, target: 'Sextant', relation: 'replaces' }),
    () => graph.addRule({ domain, text: 'Always level the Theodolite.' }),
  ];
};
const TIMEOUT = 120_000;
const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

describe('a write in steps whose process lives', () => {
  it.each(['load', 'forget', 'removal'] as const)(
    '(%s) is left alone by whoever finishes what others left behind',
    async (what) => {
      const large = await page(1, 210);
      await withService({}, async (test) => {
        const { ports } = test.service.ingest;
        if (what !== 'load') await load(ports, large);
        const finished: number[] = [];
        const live = watched(ports, async () => {
          // Between a note and its lease only its age keeps others away.
          if (await isEachLeased(ports)) finished.push(await finish(ports));
        });
        if (what === 'load') await loadInSteps(live, large, { known: new Embedded() });
        else if (what === 'removal') await forgetDomain(live, 'ridge');
        else await forgetSource(live, (await ports.graph.listSources())[0]!.source_id);
        expect(finished.length).toBeGreaterThan(2);
        expect(finished.filter((count) => count > 0)).toEqual([]);
        const [source] = await ports.graph.listSources();
        expect(source?.passages).toBe(what === 'load' ? large.passages.length : undefined);
      });
    },
    TIMEOUT,
  );
});

describe('a removal that fails after it was noted', () => {
  it.each(['forget', 'removal'] as const)(
    '(%s) says that it goes on by itself, and does',
    async (what) => {
      await withService({}, async (test) => {
        const { ports } = test.service.ingest;
        await load(ports, await page(1, 210));
        const [source] = await ports.graph.listSources();
        const full = watched(ports, async (write) => {
          if (write > 1) throw new SvcError('unavailable', 'The disk of the store is full.', { part: 'store' });
        });
        const removed = what === 'forget' ? forgetSource(full, source!.source_id) : forgetDomain(full, 'ridge');
        await expect(removed).rejects.toMatchObject({
          code: 'unavailable',
          message: expect.stringMatching(
            /^The disk of the store is full\. The removal has begun and goes on by itself/,
          ),
          details: { part: 'store', pending: true },
        });
        expect(await finish(ports)).toBe(1);
        expect(await ports.graph.listSources()).toEqual([]);
      });
    },
    TIMEOUT,
  );
});

describe('a load that waits for its source', () => {
  it(
    'keeps its note, however long it waits, from whoever finishes what others left behind',
    async () => {
      const large = await page(1, 210);
      await withService({}, async (test) => {
        const { ports } = test.service.ingest;
        let now = Date.now();
        const clock = (): number => now;
        const source_id = sourceId(large.source);
        let release = (): void => undefined;
        const held = { name: `load:${source_id}`, holder: 'another', ttl: 300_000, clock };
        const other = withLease(ports.store, held, () => new Promise<void>((resolve) => (release = resolve)));
        while (!(await isLeased(ports.store, held.name, now))) await turn();
        let open = (): void => undefined;
        let gate: Promise<void> | undefined;
        let writes = 0;
        const waiting = watched({ ...ports, clock }, (write) => {
          writes = write;
          return gate ?? Promise.resolve();
        });
        const loading = loadInSteps(waiting, large, { known: new Embedded() });
        // After the note it tries the lease: from then on it waits.
        while (writes < 2) await turn();
        const [noted] = await listPendingLoads(ports.store.db);
        now += 40_000;
        const until = Date.now() + 60_000;
        while (Date.now() < until && (await listPendingLoads(ports.store.db))[0]!.created_at === noted!.created_at)
          await turn();
        gate = new Promise((resolve) => (open = resolve));
        release();
        await other;
        const finisher = { minAge: 30_000, onError: (error: unknown) => expect(error).toBeUndefined() };
        expect(await finishPendingLoads({ ...ports, clock }, finisher)).toBe(0);
        open();
        gate = undefined;
        await loading;
        expect(await ports.graph.listSources()).toMatchObject([{ source_id, passages: large.passages.length }]);
      });
    },
    TIMEOUT,
  );
});

describe('a domain whose removal is noted', () => {
  const whole = async (write: (test: TestService) => Promise<unknown>) =>
    withService({}, async (test) => {
      await write(test);
      return snapshot(test, 'ridge');
    });

  it(
    'takes no write until it is gone, and keeps those answered afterwards',
    async () => {
      const large = await page(1, 210);
      const alone = await whole((test) => test.post('/v1/ingest/structured', concepts));
      await withService({}, async (test) => {
        const { ports } = test.service.ingest;
        await load(ports, large);
        await expect(forgetDomain(dyingOnceNoted(ports), 'ridge')).rejects.toThrow('died');
        expect(await test.post('/v1/ingest/structured', concepts)).toMatchObject(refused);
        expect(await test.post('/v1/ingest/message', message('Good morning.'))).toMatchObject(refused);
        const again = load(ports, large);
        await expect(again).rejects.toMatchObject({ code: 'unavailable', retriable: true });
        const inSteps = loadInSteps(ports, { ...large, content_hash: 'other' }, { known: new Embedded() });
        await expect(inSteps).rejects.toMatchObject({ code: 'unavailable' });
        const edit = { domain: 'ridge', type: 'add_concept', name: 'Barometer', description: 'A tool' };
        expect(await test.post('/v1/edits', edit)).toMatchObject(refused);
        await expect(ports.graph.createDomain('ridge', 'A range')).rejects.toMatchObject({ code: 'unavailable' });
        for (const write of libraryWrites(ports.graph)) {
          await expect(write()).rejects.toMatchObject({ code: 'unavailable', retriable: true });
        }
        // Other domains go on.
        expect(await test.post('/v1/ingest/structured', { ...concepts, domain: 'valley' })).toMatchObject({
          status: 200,
        });
        expect(await finish(ports)).toBe(1);
        expect(await test.service.graph.getDomain('ridge')).toBeNull();
        expect(await test.post('/v1/ingest/structured', concepts)).toMatchObject({ status: 200 });
        expect(await finish(ports)).toBe(0);
        expect(await snapshot(test, 'ridge')).toEqual(alone);
      });
    },
    TIMEOUT,
  );

  it(
    'is removed where two ask for it at once, and stays where a restore takes the note away',
    async () => {
      const large = await page(1, 210);
      await withService({}, async (test) => {
        const { ports } = test.service.ingest;
        await load(ports, large);
        await Promise.all([forgetDomain(ports, 'ridge'), forgetDomain(ports, 'ridge')]);
        expect(await ports.graph.listSources()).toEqual([]);
        await load(ports, large);
        const before = await snapshot(test, 'ridge');
        const live = watched(ports, async (write) => {
          // As a restore does with whatever is noted.
          if (write === 3) await ports.store.write(({ db }) => deleteAllPendingLoads(db));
        });
        await forgetDomain(live, 'ridge');
        expect(await snapshot(test, 'ridge')).toEqual(before);
      });
    },
    TIMEOUT,
  );
});

describe('a source whose forgetting is noted', () => {
  it(
    'takes no message until it is gone, and keeps those answered afterwards',
    async () => {
      await withService({}, async (test) => {
        const { ports } = test.service.ingest;
        const { text } = stations(1, 1500);
        expect(await test.post('/v1/ingest/message', message(text))).toMatchObject({ status: 200 });
        expect(await test.post('/v1/ingest/message', { ...message('Good night.'), message_id: 'm2' })).toMatchObject({
          status: 200,
        });
        const hide = { domain: 'ridge', type: 'remove_message', session_id: 'watch', message_id: 'm2' };
        const removal = await test.post('/v1/edits', hide);
        expect(removal).toMatchObject({ status: 200 });
        const session = (await ports.graph.listSources()).find(({ kind }) => kind === 'session');
        await expect(forgetSource(dyingOnceNoted(ports), session!.source_id)).rejects.toThrow('died');
        expect(await test.post('/v1/ingest/message', message('Good morning.'))).toMatchObject(refused);
        expect(await test.delete(`/v1/edits/${removal.body.edit_id}`)).toMatchObject(refused);
        expect(await finish(ports)).toBe(1);
        expect(await test.post('/v1/ingest/message', message('Good morning.'))).toMatchObject({ status: 200 });
        expect(await finish(ports)).toBe(0);
        const sessions = (await ports.graph.listSources()).filter(({ kind }) => kind === 'session');
        expect(sessions).toMatchObject([{ source_id: session!.source_id, passages: 1 }]);
      });
    },
    TIMEOUT,
  );

  it(
    'stays where the same content is loaded again',
    async () => {
      const large = await page(1, 210);
      await withService({}, async (test) => {
        const { ports } = test.service.ingest;
        await load(ports, large);
        const [source] = await ports.graph.listSources();
        await expect(forgetSource(dyingOnceNoted(ports), source!.source_id)).rejects.toThrow('died');
        await load(ports, large);
        expect(await finish(ports)).toBe(0);
        expect(await ports.graph.listSources()).toMatchObject([{ passages: large.passages.length }]);
      });
    },
    TIMEOUT,
  );
});
