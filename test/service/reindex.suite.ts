import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openBuiltin } from '../../src/backends/embedding/builtin.js';
import { removeRetired } from '../../src/ingest/index/retired-indexes.js';
import { type EmbeddingServer, serveEmbeddings } from '../embedding/embedding-server.js';
import { type Environment, reachText, type TestService, withService } from './harness.js';

/** Another model: the static one's vectors back to front, so that mixing the two would show. */
export async function serveOtherModel(delayMs = 0): Promise<EmbeddingServer> {
  const model = openBuiltin('static', () => undefined);
  return serveEmbeddings({
    ...model,
    embed: async (texts) => {
      if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
      return (await model.embed(texts)).map((vector) => vector.reverse());
    },
  });
}

export const otherModel = (url: string): Environment => ({
  SVC_EMBEDDING: 'openai',
  SVC_EMBEDDING_URL: url,
  SVC_EMBEDDING_MODEL: 'other',
});

/** Id → vector of every concept and passage in the index that serves. */
export async function servedVectors({ service }: TestService): Promise<Record<string, number[]>> {
  const { indexName } = await service.concepts.current();
  const nodes = await service.graph.findNodes();
  const vectors = await service.vectors.fetch(
    indexName,
    nodes.map((node) => node.id),
  );
  const { count } = await service.vectors.describeIndex(indexName);
  expect(count).toBe(vectors.size);
  return Object.fromEntries([...vectors].sort(([a], [b]) => (a < b ? -1 : 1)).map(([id, v]) => [id, [...v]]));
}

const part = (i: number) => ({
  domain: 'plant',
  source_id: `batch-${i}`,
  concepts: Array.from({ length: 30 }, (_, k) => ({ name: `Part ${i}-${k}`, description: `Part ${k} of unit ${i}` })),
});

/** Another embedding model: nothing is mixed, the old one serves until the swap, nothing written meanwhile is lost. */
export function reindexSuite(name: string, fresh: () => Promise<Environment>): void {
  describe(`a change of the embedding model on ${name}`, () => {
    let server: EmbeddingServer;
    let directory: string;
    let environment: Environment;
    beforeAll(async () => {
      server = await serveOtherModel(5);
    });
    afterAll(() => server.close());
    beforeEach(async () => {
      directory = mkdtempSync(join(tmpdir(), 'reindex-'));
      environment = { SVC_DATA_DIR: directory, ...(await fresh()) };
    });
    afterEach(() => rmSync(directory, { recursive: true, force: true }));

    const serving = <T>(more: Environment, work: (test: TestService) => Promise<T>): Promise<T> =>
      withService({ ...environment, ...more }, work);
    const ask = (test: TestService, mode: string) =>
      test.post('/v1/query', { context: 'Who designed the lighthouse?', domains: ['reach'], mode });
    const status = async (test: TestService) => (await test.get('/v1/status')).body;

    it('refuses to mix, says so, and continues with the model of the index', async () => {
      const before = await serving({}, async (test) => {
        await test.post('/v1/ingest/text', reachText('tower'));
        expect((await status(test)).problems).toBeUndefined();
        return ask(test, 'vec');
      });
      await serving(otherModel(server.url), async (test) => {
        const requests = server.received.length;
        expect((await status(test)).problems.join()).toMatch(/static \(256 dimensions\).*openai-other.*`svc reindex`/);
        expect(await status(test)).toMatchObject({ embedding_model: 'static', vector_search: true });
        expect((await ask(test, 'vec')).body.items).toEqual(before.body.items);
        await test.post('/v1/ingest/text', reachText('voss'));
        expect(server.received.length).toBe(requests);
        expect((await test.service.vectors.listIndexes()).length).toBe(1);
      });
      await serving({}, async (test) => {
        expect((await status(test)).problems).toBeUndefined();
        expect(Object.keys(await servedVectors(test)).length).toBe(2);
      });
    });

    it('re-embeds while queries are served and others write, then swaps', async () => {
      await serving({}, async (test) => {
        await test.post('/v1/ingest/text', reachText('tower'));
        await test.post('/v1/ingest/text', reachText('island'));
        for (let i = 0; i < 8; i += 1) await test.post('/v1/ingest/structured', part(i));
      });
      const after = await serving(otherModel(server.url), async (test) => {
        const { body: listed } = await test.get('/v1/documents?domain=reach');
        const island = listed.documents.find((document: { label: string }) => document.label === 'island');
        let running = true;
        let served = 0;
        const queries = async (mode: string) => {
          while (running) {
            const { status: code, body } = await ask(test, mode);
            expect([code, body.items?.length > 0]).toEqual([200, true]);
            served += 1;
          }
        };
        const writes = async () => {
          for (let i = 6; i < 16; i += 1) {
            const changed = { ...part(i), concepts: part(i).concepts.slice(i % 3) };
            expect((await test.post('/v1/ingest/structured', changed)).status).toBe(200);
          }
          expect((await test.delete(`/v1/documents/${island.source_id}`)).status).toBe(200);
          await test.post('/v1/ingest/text', reachText('voss'));
        };
        const asking = Promise.all([queries('vec'), queries('auto')]);
        const [reindexed] = await Promise.all([test.post('/v1/admin/reindex', {}), writes()]);
        running = false;
        await asking;
        expect(reindexed).toMatchObject({ status: 200, body: { embedding_model: 'openai-other', removed: 0 } });
        expect(served).toBeGreaterThan(2);
        expect(await status(test)).toMatchObject({ status: 'ok', embedding_model: 'openai-other' });
        expect((await ask(test, 'vec')).body.items.length).toBe(2);
        expect((await test.service.vectors.listIndexes()).length).toBe(2);
        await removeRetired(test.service.concepts, -1000);
        expect((await test.service.vectors.listIndexes()).length).toBe(1);
        return servedVectors(test);
      });
      environment = { SVC_DATA_DIR: join(directory, 'again'), ...(await fresh()) };
      const straight = await serving(otherModel(server.url), async (test) => {
        await test.post('/v1/ingest/text', reachText('tower'));
        await test.post('/v1/ingest/text', reachText('voss'));
        for (let i = 0; i < 16; i += 1) {
          const cut = i < 6 ? 0 : i % 3;
          await test.post('/v1/ingest/structured', { ...part(i), concepts: part(i).concepts.slice(cut) });
        }
        return servedVectors(test);
      });
      expect(after).toEqual(straight);
    });

    it('resumes where it was stopped', async () => {
      await serving({}, async (test) => {
        for (let i = 0; i < 20; i += 1) await test.post('/v1/ingest/structured', part(i));
      });
      await serving(otherModel(server.url), async (test) => {
        const stop = new AbortController();
        const stopped = test.service.reindex.run({ signal: stop.signal, progress: () => stop.abort() });
        await expect(stopped).rejects.toMatchObject({ code: 'unavailable' });
        expect(await status(test)).toMatchObject({ embedding_model: 'static', reindex: { model: 'openai-other' } });
        await test.post('/v1/ingest/structured', { ...part(0), concepts: [] });
      });
      await serving(otherModel(server.url), async (test) => {
        const result = await test.service.reindex.run();
        expect(result.nodes).toBeLessThan(570);
        expect(result.followed).toBeGreaterThan(0);
        expect(Object.keys(await servedVectors(test)).length).toBe(570);
      });
    });

    it('says so when the vector engine that is chosen has no concept vectors', async () => {
      await serving({}, (test) => test.post('/v1/ingest/text', reachText('tower')));
      await serving({ SVC_VEC: 'memory' }, async (test) => {
        while ((await status(test)).problems === undefined) await new Promise((resolve) => setTimeout(resolve, 20));
        expect((await status(test)).problems.join()).toMatch(/memory had no concept vectors.*`svc migrate vec/);
        await test.service.reindex.run();
        expect(await status(test)).toMatchObject({ status: 'ok' });
        expect((await ask(test, 'vec')).body.items.length).toBe(1);
      });
    });

    it('starts at once with another model where nothing was ingested, and makes the text index again without one', async () => {
      await serving({}, async () => undefined);
      await serving(otherModel(server.url), async (test) => {
        expect(await status(test)).toMatchObject({ status: 'ok', embedding_model: 'openai-other' });
      });
      await serving({ SVC_EMBEDDING: 'none' }, async (test) => {
        const answer = await test.post('/v1/admin/reindex', {});
        expect(answer).toMatchObject({ status: 200, body: { embedding_model: 'none', nodes: 0 } });
      });
    });

    it('embeds what was written while the service ran without a model', async () => {
      const both = await serving({}, async (test) => {
        await test.post('/v1/ingest/text', reachText('tower'));
        await test.post('/v1/ingest/text', reachText('island'));
        return (await test.get('/v1/documents')).body.documents as Array<{ label: string; source_id: string }>;
      });
      await serving({ SVC_EMBEDDING: 'none' }, async (test) => {
        expect(await ask(test, 'vec')).toMatchObject({ status: 503 });
        await test.post('/v1/ingest/text', reachText('voss'));
        await test.delete(`/v1/documents/${both.find(({ label }) => label === 'island')!.source_id}`);
      });
      await serving({}, async (test) => {
        await test.service.reindex.catchUp();
        expect(Object.keys(await servedVectors(test)).length).toBe(2);
        expect((await ask(test, 'vec')).body.items.length).toBe(2);
      });
    });
  });
}
