import { describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { openPostgres, type PostgresStore } from '../../src/backends/store/engine/postgres.js';
import { parseFilter } from '../../src/backends/vector/filter.js';
import { MemoryVectors } from '../../src/backends/vector/memory.js';
import { PgVectors } from '../../src/backends/vector/pgvector.js';
import { seededRandom } from '../../src/core/random.js';
import { type VectorFixture, vectorContract } from '../contracts/vector.contract.js';
import { expectSame, vectorFilterContract } from '../contracts/vector-filter.contract.js';
import { vectorSoakContract } from '../contracts/vector-soak.contract.js';
import { describeLive, liveUrl } from '../vector/live-engine.js';

const url = liveUrl('PG_URL', 'PostgreSQL');

/** A database of its own for each fixture, dropped at the end. */
async function openDatabase(server: string): Promise<{ store: PostgresStore; close: () => Promise<void> }> {
  const name = `vectors_${process.pid}_${Date.now()}_${Math.floor(Math.random() * 1e6)}`;
  const admin = await openPostgres(server, { migrate: false, connections: 1 });
  await sql`create database ${sql.ref(name)}`.execute(admin.db);
  const address = new URL(server);
  address.pathname = `/${name}`;
  const store = await openPostgres(address.href, { connections: 8 });
  return {
    store,
    close: async () => {
      await store.close();
      await sql`drop database ${sql.ref(name)} with (force)`.execute(admin.db);
      await admin.close();
    },
  };
}

describeLive('pgvector', url, (server) => {
  const open = async (): Promise<VectorFixture & { store: PostgresStore; backend: PgVectors }> => {
    const { store, close } = await openDatabase(server);
    const backend = new PgVectors(store, { joinsStore: true, buildFrom: 500 });
    await backend.connect();
    return {
      backend,
      store,
      close: async () => {
        await backend.disconnect();
        await close();
      },
    };
  };

  vectorContract('pgvector', open);
  vectorFilterContract('pgvector', open, 1500);
  vectorSoakContract('pgvector', open, Number(process.env.VECTOR_SOAK_SECONDS ?? 5));

  describe('pgvector on its server', () => {
    it('searches dimensions beyond the index limit exactly', async () => {
      const { backend, close } = await open();
      const reference = new MemoryVectors();
      const random = seededRandom(3);
      const vector = (): number[] => Array.from({ length: 2100 }, () => Math.fround(random() - 0.5));
      const entries = Array.from({ length: 600 }, (_, i) => ({ id: `n${i}`, vector: vector() }));
      for (const each of [backend, reference]) {
        await each.createIndex('wide', { dimension: 2100 });
        await each.upsert('wide', entries);
      }
      await backend.whenBuilt();
      const query = { vector: vector(), topK: 30 };
      expectSame(await backend.query('wide', query), await reference.query('wide', query));
      await close();
    });

    it('takes part in a transaction of the store', async () => {
      const { backend, store, close } = await open();
      await backend.createIndex('m', { dimension: 2 });
      const failed = store.write(async (scope) => {
        await backend.upsert('m', [{ id: 'a', vector: [1, 0] }], scope);
        throw new Error('no');
      });
      await expect(failed).rejects.toThrow('no');
      expect((await backend.describeIndex('m')).count).toBe(0);
      await store.write((scope) => backend.upsert('m', [{ id: 'a', vector: [1, 0] }], scope));
      expect((await backend.describeIndex('m')).count).toBe(1);
      await close();
    });

    it('shows one replica what another wrote, on the next request', async () => {
      const { backend, store, close } = await open();
      const other = new PgVectors(store, { joinsStore: true });
      await other.connect();
      await backend.createIndex('m', { dimension: 2 });
      await backend.upsert('m', [{ id: 'a', vector: [1, 0] }]);
      expect((await other.query('m', { vector: [1, 0], topK: 1 })).length).toBe(1);
      await other.deleteIndex('m');
      await expect(backend.query('m', { vector: [1, 0], topK: 1 })).rejects.toMatchObject({ code: 'index_not_found' });
      await close();
    });

    it('says of a graph that it could not be built, also to another process, until it is', async () => {
      const { backend, store, close } = await open();
      const said = async (by: PgVectors) => (await by.limits()).map(({ message }) => message);
      const built = async (name: string) => {
        const rows = Array.from({ length: 600 }, (_, i) => ({ id: `n${i}`, vector: [i, 1, 2] }));
        await backend.createIndex(name, { dimension: 3 });
        await backend.upsert(name, rows);
        await backend.whenBuilt();
      };
      // Another relation has the name of the index.
      await sql`create table pgv_3_cosine_hnsw (id integer)`.execute(store.db);
      await built('m');
      expect(await said(backend)).toEqual([expect.stringMatching(/^vector index m: its graph .*pgv_3_cosine_hnsw/u)]);
      await sql`drop table pgv_3_cosine_hnsw`.execute(store.db);
      await backend.whenBuilt();
      expect(await said(backend)).toEqual([]);
      // A build that fails leaves an index that is not valid.
      await sql`drop index pgv_3_cosine_hnsw`.execute(store.db);
      const broken = sql`create unique index concurrently pgv_3_cosine_hnsw on pgv_3_cosine ((1))`.execute(store.db);
      await expect(broken).rejects.toThrow();
      const other = new PgVectors(store, { joinsStore: true });
      await other.connect();
      expect(await said(other)).toEqual([expect.stringContaining('vector index m: its graph could not be built, so')]);
      await backend.whenBuilt();
      expect([await said(other), await said(backend)]).toEqual([[], []]);
      await close();
    });

    it('answers a selective filter completely where an HNSW index exists', async () => {
      const { backend, close } = await open();
      const random = seededRandom(4);
      const vector = (): number[] => Array.from({ length: 8 }, () => Math.fround(random() - 0.5));
      await backend.createIndex('m', { dimension: 8 });
      await backend.upsert(
        'm',
        Array.from({ length: 6000 }, (_, i) => ({ id: `n${i}`, vector: vector(), metadata: { g: i % 300 } })),
      );
      await backend.whenBuilt();
      const hits = await backend.query('m', { vector: vector(), topK: 20, filter: parseFilter({ g: 7 }) });
      expect(hits.length).toBe(20);
      await close();
    });
  });
});
