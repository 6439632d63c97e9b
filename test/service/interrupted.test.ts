import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openBuiltin } from '../../src/backends/embedding/builtin.js';
import { readConceptIndex, writeConceptIndex } from '../../src/backends/store/concept-index.js';
import { openSqlite } from '../../src/backends/store/engine/sqlite.js';
import { isLeased, withLease } from '../../src/backends/store/leases.js';
import { leftoverIndexes } from '../../src/ingest/index/retired-indexes.js';
import { operations } from '../../src/operations/index.js';
import { invoke } from '../../src/operations/invoke.js';
import type { Operation } from '../../src/operations/operation.js';
import { serveEmbeddings } from '../embedding/embedding-server.js';
import { reachText, withService } from './harness.js';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'interrupted-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

describe('what killed processes leave behind', () => {
  it('is cleared at the next start: indexes of interrupted reindexes, retired ones, and unknown ones', async () => {
    const environment = { SVC_DATA_DIR: directory, SVC_EMBEDDING: 'static' };
    const serving = await withService(environment, async (test) => {
      await test.post('/v1/ingest/text', reachText('tower'));
      const { vectors, store, concepts } = test.service;
      const indexes = ['svc_concepts_a_4', 'svc_concepts_b_4', 'svc_concepts_c_4'];
      for (const index of indexes) await vectors.createIndex(index, { dimension: 4 });
      await vectors.createIndex('kept', { dimension: 4 });
      // Two of them as a reindex that is superseded leaves them, one as a kill before that is recorded does.
      await store.write(async ({ db }) => {
        const state = (await readConceptIndex(db))!;
        const retired = indexes.slice(0, 2).map((index) => ({ index, at: Date.now() }));
        await writeConceptIndex(db, { ...state, retired });
      });
      expect(await leftoverIndexes(concepts)).toEqual(['svc_concepts_c_4']);
      return concepts.serving.indexName;
    });
    await withService(environment, async (test) => {
      const names = (await test.service.vectors.listIndexes()).map(({ name }) => name);
      expect(names.sort()).toEqual(['kept', serving]);
      const { body } = await test.post('/v1/query', { context: 'Who designed the lighthouse?', domains: ['reach'] });
      expect(body.items.length).toBeGreaterThan(0);
    });
  });

  it('is cleared by the next reindex too', async () => {
    await withService({ SVC_DATA_DIR: directory, SVC_EMBEDDING: 'static' }, async (test) => {
      await test.post('/v1/ingest/text', reachText('tower'));
      const { vectors, concepts, reindex } = test.service;
      await vectors.createIndex('svc_concepts_c_4', { dimension: 4 });
      await reindex.run();
      expect(await leftoverIndexes(concepts)).toEqual([]);
      expect((await vectors.listIndexes()).map(({ name }) => name)).not.toContain('svc_concepts_c_4');
    });
  });
});

describe('a lease that was written under a clock a year ahead', () => {
  const year = 365 * 86_400_000;
  it('holds nobody up while the service runs', async () => {
    const store = await openSqlite(':memory:');
    const row = { name: 'graph', holder: 'dead', expires_at: Date.now() + year };
    await store.write(async ({ db }) => void (await db.insertInto('lease').values(row).execute()));
    expect(await isLeased(store, 'graph', Date.now())).toBe(false);
    const lease = { name: 'graph', holder: 'me', ttl: 30_000, clock: Date.now };
    expect(await withLease(store, lease, () => Promise.resolve('done'))).toBe('done');
    await store.close();
  });

  it('is cleared at the next start, as are all leases of a process that died', async () => {
    const environment = { SVC_DATA_DIR: directory, SVC_EMBEDDING: 'none' };
    await withService(environment, async ({ service }) => {
      const row = { name: 'graph', holder: 'dead', expires_at: Date.now() + 30_000 };
      await service.store.write(async ({ db }) => void (await db.insertInto('lease').values(row).execute()));
    });
    await withService(environment, async ({ service }) => {
      expect(await isLeased(service.store, 'graph', Date.now())).toBe(false);
    });
  });
});

describe('an embedding server that is down', () => {
  it('makes status and readiness degraded, with the name of the part', async () => {
    const server = await serveEmbeddings(openBuiltin('static', () => undefined));
    const environment = {
      SVC_DATA_DIR: directory,
      SVC_EMBEDDING: 'openai',
      SVC_EMBEDDING_URL: server.url,
      SVC_EMBEDDING_MODEL: 'm',
    };
    await withService(environment, async (test) => {
      expect((await test.get('/v1/status')).body.status).toBe('ok');
      expect(await test.get('/v1/ready')).toMatchObject({ status: 200, body: { status: 'ready' } });
      const calls = server.received.length;
      for (let i = 0; i < 5; i += 1) await test.get('/v1/status');
      expect(server.received.length).toBe(calls);
      await server.close();
      await test.post('/v1/query', { context: 'anything', mode: 'vec' });
      const { body } = await test.get('/v1/status');
      expect([body.status, body.problems.join()]).toEqual(['degraded', expect.stringContaining('embedding')]);
      expect(await test.get('/v1/ready')).toMatchObject({
        status: 200,
        body: { status: 'degraded', problems: [expect.stringContaining('embedding')] },
      });
      expect((await test.get('/v1/health')).status).toBe(200);
    });
  });
});

describe('an ingest whose caller gives up', () => {
  it('is answered with `cancelled`, and writes nothing', async () => {
    await withService({ SVC_DATA_DIR: directory, SVC_EMBEDDING: 'none' }, async ({ service }) => {
      const controller = new AbortController();
      const ingest = operations.ingest_text as Operation;
      const input = { text: 'Sencha steeps for one minute.', domain: 'tea' };
      const context = { surface: 'internal', authenticated: true, signal: controller.signal } as const;
      const work = invoke(service, ingest, input, context);
      controller.abort();
      await expect(work).rejects.toMatchObject({ code: 'cancelled', message: expect.stringContaining('ingest_text') });
      expect(await service.graph.getDomain('tea')).toBeNull();
    });
  });
});
