import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { trace } from '@opentelemetry/api';
import { QdrantClient } from '@qdrant/js-client-rest';
import { parseFilter } from '../../src/backends/vector/filter.js';
import { QdrantVectors } from '../../src/backends/vector/qdrant.js';
import { loadConfig } from '../../src/config.js';
import { startTracing } from '../../src/telemetry/sdk.js';
import { withSpan } from '../../src/telemetry/span.js';
import { type VectorFixture, vectorContract } from '../contracts/vector.contract.js';
import { vectorFilterContract } from '../contracts/vector-filter.contract.js';
import { vectorSoakContract } from '../contracts/vector-soak.contract.js';
import { describeLive, liveUrl } from '../vector/live-engine.js';
import { proxyTo } from './proxy.js';

const url = liveUrl('QDRANT_URL', 'Qdrant');

describeLive('qdrant', url, (server) => {
  const open = async (): Promise<VectorFixture & { backend: QdrantVectors; prefix: string }> => {
    const prefix = `test-${randomUUID()}-`;
    const backend = new QdrantVectors({ url: server, prefix });
    await backend.connect();
    return {
      backend,
      prefix,
      close: async () => {
        for (const index of await backend.listIndexes()) await backend.deleteIndex(index.name);
        await backend.disconnect();
      },
    };
  };

  vectorContract('qdrant', open);
  vectorFilterContract('qdrant', open, 700);
  vectorSoakContract('qdrant', open, Number(process.env.VECTOR_SOAK_SECONDS ?? 5));

  describe('qdrant on its server', () => {
    it('gets the W3C trace context of the call', async () => {
      const stop = await startTracing({
        name: 'svc',
        tracing: { ...loadConfig({ environment: {} }).tracing, enabled: true, endpoint: 'http://127.0.0.1:9' },
      });
      const proxy = await proxyTo(server);
      const backend = new QdrantVectors({ url: `http://${proxy.place}`, prefix: `test-${randomUUID()}-` });
      await backend.connect();
      await backend.createIndex('m', { dimension: 2 });
      for (const call of [
        () => backend.upsert('m', [{ id: 'a', vector: [1, 0] }]),
        () => backend.query('m', { vector: [1, 0], topK: 1 }),
        () => backend.deleteIndex('m'),
      ]) {
        const before = proxy.sent.length;
        const traceId = await withSpan('call', {}, async () => {
          await call();
          return trace.getActiveSpan()!.spanContext().traceId;
        });
        const sent = Buffer.concat(proxy.sent.slice(before)).toString();
        const requests = sent.match(/(GET|PUT|POST|DELETE) \/collections\S* HTTP/g) ?? [];
        const contexts = sent.match(new RegExp(`^traceparent: 00-${traceId}-[0-9a-f]{16}-01\\r$`, 'gm')) ?? [];
        expect(contexts.length).toBeGreaterThan(0);
        expect(contexts).toHaveLength(requests.length);
      }
      await backend.disconnect();
      await proxy.stop();
      await stop();
    });

    it('sees what another process did to an index', async () => {
      const { backend, prefix, close } = await open();
      const other = new QdrantVectors({ url: server, prefix });
      await backend.createIndex('m', { dimension: 2 });
      await other.upsert('m', [{ id: 'a', vector: [1, 0] }]);
      expect((await backend.query('m', { vector: [1, 0], topK: 1 })).length).toBe(1);
      await other.deleteIndex('m');
      await expect(backend.query('m', { vector: [1, 0], topK: 1 })).rejects.toMatchObject({ code: 'index_not_found' });
      await close();
    });

    it('indexes the payload of a collection whose process ended before it did', async () => {
      const { backend, prefix, close } = await open();
      const client = new QdrantClient({ url: server, checkCompatibility: false });
      const name = `${prefix}m`;
      const indexed = async () => Object.keys((await client.getCollection(name)).payload_schema).sort();
      // What a crash between creating a collection and its first payload index leaves.
      await client.createCollection(name, { vectors: { size: 1, distance: 'Cosine' } });
      expect(await indexed()).toEqual([]);
      expect(await backend.createIndex('m', { dimension: 1 })).toBe('exists');
      expect(await indexed()).toEqual(['partition', 'revision', 'terms']);
      await close();
    });

    it('loses no update when many change one entry', async () => {
      const { backend, close } = await open();
      await backend.createIndex('m', { dimension: 1 });
      await backend.upsert('m', [{ id: 'a', vector: [1] }]);
      const changes = Array.from({ length: 8 }, (_, i) =>
        backend.update('m', { ids: ['a'] }, { metadata: { [`k${i}`]: i } }),
      );
      await Promise.all(changes);
      const [hit] = await backend.query('m', { vector: [1], topK: 1, filter: parseFilter({ k7: 7 }) });
      expect(Object.keys(hit?.metadata ?? {}).length).toBe(8);
      await close();
    });

    it('leaves collections of others alone', async () => {
      const { backend, close } = await open();
      const other = new QdrantVectors({ url: server, prefix: `other-${randomUUID()}-` });
      await other.createIndex('m', { dimension: 1 });
      expect(await backend.listIndexes()).toEqual([]);
      await other.deleteIndex('m');
      await close();
    });
  });

  it('says unavailable when nothing answers', async () => {
    const nobody = new QdrantVectors({ url: 'http://127.0.0.1:9' });
    await expect(nobody.health()).rejects.toMatchObject({ code: 'unavailable' });
    await expect(nobody.query('m', { vector: [1], topK: 1 })).rejects.toMatchObject({ code: 'unavailable' });
  });
});
