import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Store } from '../../src/backends/store/scope.js';
import { conceptId } from '../../src/core/ids.js';
import type { Manifest } from '../../src/core/model.js';
import { documentManifest, textDocument } from '../../src/ingest/document.js';
import { forgetDomain, forgetSource } from '../../src/ingest/forget.js';
import { embedManifest } from '../../src/ingest/index/embed.js';
import { finishPendingLoads } from '../../src/ingest/write/finish-pending.js';
import { load } from '../../src/ingest/write/load.js';
import { loadInSteps } from '../../src/ingest/write/load-in-steps.js';
import { isLarge, piecesOf } from '../../src/ingest/write/pieces.js';
import type { LoadPorts } from '../../src/ingest/write/ports.js';
import { waitFor } from '../support/wait-for.js';
import { openService, snapshot, type TestService, withService } from './harness.js';
import { post, type ServerProcess, startProcess } from './process.js';
import { stations } from './stations.js';

const page = async (seed: number, count: number): Promise<Manifest> => {
  const { text, domain, format } = stations(seed, count);
  const manifest = await documentManifest(
    await textDocument({ text, domain, format: format as 'markdown', name: 'the page' }),
  );
  const facts = {
    concepts: [{ name: `Depot ${seed}`, description: 'A store of parts', confidence: seed === 1 ? 1 : 0.5 }],
    edges: [{ source: `Depot ${seed}`, target: `Station ${seed}-1`, relation: 'supplies', confidence: 1 / seed }],
    rules: [{ text: `Always lock Depot ${seed}.` }],
  };
  return { ...manifest, ...{ concepts: facts.concepts, edges: facts.edges, rules: facts.rules } };
};

/** The ports with a store whose writes fail after so many, as if the process had died there. */
function dyingAfter(ports: LoadPorts, writes: number): LoadPorts {
  let left = writes;
  const write: Store['write'] = (...given) => {
    left -= 1;
    return left < 0 ? Promise.reject(new Error('died')) : ports.store.write(...given);
  };
  return {
    ...ports,
    store: new Proxy(ports.store, { get: (store, name) => (name === 'write' ? write : store[name as keyof Store]) }),
  };
}

const inSteps = async (ports: LoadPorts, manifest: Manifest): Promise<void> =>
  loadInSteps(ports, manifest, {
    known: await embedManifest((await ports.concepts!.current()).embedding, manifest),
  });

const stateOf = (test: TestService) => snapshot(test, 'ridge');

describe('a source that is written in steps', () => {
  it('ends as if it had been written at once, new or in place of another', async () => {
    const [first, second] = [await page(1, 30), await page(2, 20)];
    const other = { ...(await page(3, 5)), source: { ...first.source, key: 'other', label: 'other' } };
    const atOnce = (...manifests: Manifest[]) =>
      withService({}, async (test) => {
        for (const manifest of manifests) await load(test.service.ingest.ports, manifest);
        return stateOf(test);
      });
    await withService({}, async (test) => {
      const { ports } = test.service.ingest;
      await inSteps(ports, first);
      expect(await stateOf(test)).toEqual(await atOnce(first));
      await load(ports, other);
      await inSteps(ports, second);
      expect(await stateOf(test)).toEqual(await atOnce(other, second));
      expect(await ports.store.db.selectFrom('pending_piece').selectAll().execute()).toEqual([]);
    });
  });

  it('is whole as before or whole as after, wherever the process dies', async () => {
    const [first, second] = [await page(1, 8), await page(2, 6)];
    await withService({}, async (test) => {
      const { ports } = test.service.ingest;
      await load(ports, first);
      const before = await stateOf(test);
      const seen: string[] = [];
      let after: unknown;
      for (let writes = 0; seen.at(-1) !== 'done'; writes += 1) {
        const died = await inSteps(dyingAfter(ports, writes), second).then(
          () => 'done',
          () => 'died',
        );
        await finishPendingLoads(
          { ...ports, clock: () => Date.now() + 120_000 },
          { minAge: 0, onError: (error) => expect(error).toBeUndefined() },
        );
        const state = await stateOf(test);
        after ??= JSON.stringify(state) === JSON.stringify(before) ? undefined : state;
        if (after === undefined) seen.push('before');
        else {
          expect(state).toEqual(after);
          seen.push(died === 'done' ? 'done' : 'after');
        }
      }
      expect(new Set(seen)).toEqual(new Set(['before', 'after', 'done']));
    });
  });

  it('gives way to a forget that comes meanwhile, of which nothing is left', async () => {
    const manifest = await page(1, 8);
    await withService({}, async (test) => {
      const { ports } = test.service.ingest;
      await inSteps(dyingAfter(ports, 6), manifest).catch(() => undefined);
      const [source] = await test.service.graph.listSources();
      await test.delete(`/v1/documents/${source!.source_id}`);
      await finishPendingLoads(
        { ...ports, clock: () => Date.now() + 120_000 },
        { minAge: 0, onError: () => undefined },
      );
      expect(await test.service.graph.listSources()).toEqual([]);
      expect(await test.service.graph.listDomains()).toEqual([]);
    });
  });
});

describe('a large source that is forgotten, or a domain with one that is removed', () => {
  const later = (ports: LoadPorts) =>
    finishPendingLoads(
      { ...ports, clock: () => Date.now() + 120_000 },
      { minAge: 0, onError: (error) => expect(error).toBeUndefined() },
    );

  it.each(['source', 'domain'] as const)(
    '(%s) is whole or gone, wherever the process dies',
    async (what) => {
      const [large, other] = [await page(1, 210), await page(3, 5)];
      const domain = { large: 'ridge', other: what === 'source' ? 'ridge' : 'valley' };
      const rest = {
        ...other,
        domain: domain.other,
        source: { ...other.source, domain: domain.other, key: 'other', label: 'other' },
        passages: other.passages.map((passage) => ({
          ...passage,
          id: passage.id.replace('ridge:', `${domain.other}:`),
        })),
      };
      const without = await withService({}, async (test) => {
        await load(test.service.ingest.ports, rest);
        return snapshot(test, domain.other);
      });
      const forget = async (ports: LoadPorts) => {
        if (what === 'domain') return forgetDomain(ports, 'ridge');
        const sources = await ports.graph.listSources();
        return forgetSource(ports, sources.find(({ key }) => key === large.source.key)!.source_id);
      };
      await withService({}, async (test) => {
        const { ports } = test.service.ingest;
        await load(ports, rest);
        const seen: string[] = [];
        for (let writes = 0; seen.at(-1) !== 'done'; writes += 1) {
          if ((await ports.graph.listSources()).length === 1) await load(ports, large);
          const whole = await stateOf(test);
          const died = await forget(dyingAfter(ports, writes)).then(
            () => 'done',
            () => 'died',
          );
          await later(ports);
          const left = (await ports.graph.listSources()).length;
          if (left === 2) expect(await stateOf(test)).toEqual(whole);
          else expect(await snapshot(test, domain.other)).toEqual(without);
          seen.push(died === 'done' ? 'done' : left === 2 ? 'whole' : 'gone');
          expect(await ports.store.db.selectFrom('pending_load').selectAll().execute()).toEqual([]);
        }
        expect([seen.includes('whole'), seen.includes('gone')]).toEqual([true, true]);
        expect(seen.indexOf('gone')).toBe(seen.lastIndexOf('whole') + 1);
      });
    },
    200_000,
  );

  it('gives way to a newer load of the source', async () => {
    const [first, second] = [await page(1, 210), await page(2, 4)];
    const alone = await withService({}, async (test) => {
      await load(test.service.ingest.ports, second);
      return stateOf(test);
    });
    await withService({}, async (test) => {
      const { ports } = test.service.ingest;
      await load(ports, first);
      const [source] = await ports.graph.listSources();
      await forgetSource(dyingAfter(ports, 2), source!.source_id).catch(() => undefined);
      await load(ports, second);
      await later(ports);
      expect(await stateOf(test)).toEqual(alone);
    });
  }, 200_000);
});

describe('a large document', () => {
  let directory: string;
  let server: ServerProcess | undefined;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'large-'));
  });
  afterEach(async () => {
    await server?.kill();
    rmSync(directory, { recursive: true, force: true });
  });

  const large = stations(7, 2600);
  const documents = async (url: string) =>
    ((await (await fetch(`${url}/v1/documents`)).json()) as { documents: Array<{ passages: number; domain: string }> })
      .documents;

  it('takes steps too where little takes the place of much', async () => {
    await withService({}, async (test) => {
      const { ports } = test.service.ingest;
      const manifest = await page(1, 30);
      await load(ports, manifest);
      let writes = 0;
      const counted = {
        ...ports,
        store: new Proxy(ports.store, {
          get: (store, name) => {
            if (name === 'write') writes += 1;
            return store[name as keyof Store];
          },
        }),
        // As if there were 2,500 passages.
        graph: new Proxy(ports.graph, {
          get: (graph, name) => {
            if (name !== 'listSources') return graph[name as keyof typeof graph];
            const listSources: typeof graph.listSources = async (...given) =>
              (await graph.listSources(...given)).map((source) => ({ ...source, passages: 2500 }));
            return listSources;
          },
        }),
      };
      await load(counted, { ...(await page(2, 20)), source: manifest.source });
      expect(writes).toBeGreaterThan(3);
      expect(await stateOf(test)).toEqual(
        await withService({}, async (fresh) => {
          await load(fresh.service.ingest.ports, { ...(await page(2, 20)), source: manifest.source });
          return stateOf(fresh);
        }),
      );
    });
  }, 60_000);

  it('keeps the description of a concept that it names again', () =>
    withService({}, async (test) => {
      const first = await page(1, 30);
      const concepts = [...first.concepts, { name: 'Depot 1' }];
      await inSteps(test.service.ingest.ports, { ...first, concepts });
      const depot = await test.service.graph.getNode(conceptId('ridge', 'Depot 1'));
      expect(depot).toMatchObject({ description: 'A store of parts' });
    }));

  it('lets other writes in while it arrives, and is finished after kill -9', async () => {
    const manifest = await documentManifest(await textDocument({ ...large, format: 'markdown', name: 'large' }));
    expect(isLarge(manifest)).toBe(true);
    expect((await piecesOf(manifest)).length).toBeGreaterThan(10);
    server = await startProcess(directory);
    const { url } = server;
    let isAnswered = false;
    const answer = post(url, '/v1/ingest/text', large).finally(() => {
      isAnswered = true;
    });
    const arriving = (passages: number) =>
      waitFor(
        async () => {
          const found = (await documents(url)).find((document) => document.domain === 'ridge');
          expect(found?.passages).toBeGreaterThan(passages);
          return found!.passages;
        },
        { timeout: 120_000, interval: 5 },
      );
    const first = await arriving(0);
    const small = { domain: 'small', concepts: [{ name: 'Sextant', description: 'A tool' }] };
    expect(await post(url, '/v1/ingest/structured', small)).toMatchObject({ status: 200 });
    // The small one was answered between two steps of the large one.
    expect([isAnswered, first < manifest.passages.length]).toEqual([false, true]);
    await server.kill();
    expect(await answer).toBeNull();
    const after = await openService({ SVC_DATA_DIR: directory });
    try {
      const { body } = await after.get('/v1/documents');
      const found = body.documents.find((document: { domain: string }) => document.domain === 'ridge');
      expect(found).toMatchObject({ passages: manifest.passages.length });
      // The same content again is known.
      expect((await after.post('/v1/ingest/text', large)).body).toMatchObject({ unchanged: true });
    } finally {
      await after.close();
    }
  }, 400_000);
});
