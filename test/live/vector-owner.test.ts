import { afterAll, describe, expect, it } from '@jest/globals';
import { openService, reachText, withService } from '../service/harness.js';
import { liveUrl } from '../vector/live-engine.js';
import { ownCollections } from './empty-qdrant.js';
import { FreshDatabases } from './fresh-databases.js';

const postgres = liveUrl('PG_URL', 'PostgreSQL');
const qdrant = liveUrl('QDRANT_URL', 'Qdrant');
if (postgres === undefined || qdrant === undefined)
  throw new Error('PG_URL or QDRANT_URL is not set; run the live tests with `npm run test:live`.');
const databases = new FreshDatabases(postgres);
afterAll(() => databases.dropAll());

/** The store is SQLite, each service has one of its own: only the vectors lie in the engine. */
const ENGINES = {
  Qdrant: async () => ({
    environment: { SVC_VEC: 'qdrant', ...ownCollections(qdrant) },
    refusal: /Qdrant holds vectors of a service with another data directory.*SVC_QDRANT_PREFIX/,
    other: () => ({ SVC_QDRANT_PREFIX: ownCollections(qdrant).SVC_QDRANT_PREFIX }),
  }),
  pgvector: async () => ({
    environment: { SVC_VEC: 'pgvector', DATABASE_URL: await databases.make() },
    refusal: /PostgreSQL holds vectors of a service with another data directory.*DATABASE_URL/,
    other: async () => ({ DATABASE_URL: await databases.make() }),
  }),
} as const;

const question = { context: 'Who designed the Aldra Tower?', domains: ['reach'], mode: 'vec' };

describe.each(Object.entries(ENGINES))('vectors in %s', (_, engine) => {
  it('belong to one service: a second one is refused, takes nothing away, and works with a place of its own', async () => {
    const { environment, refusal, other } = await engine();
    await withService(environment, async (one) => {
      await one.post('/v1/ingest/text', reachText('tower'));
      await one.post('/v1/vectors/mine/upsert', { ids: ['a'], vectors: [[1, 0]] });
      const before = (await one.post('/v1/query', question)).body.items;
      expect(before.length).toBeGreaterThan(0);
      await expect(openService(environment)).rejects.toThrow(refusal);
      await withService({ ...environment, ...(await other()) }, async (two) => {
        await two.post('/v1/ingest/text', reachText('island'));
        expect((await two.get('/v1/vectors')).body.indexes).toEqual([]);
        expect((await two.post('/v1/query', question)).status).toBe(200);
        await two.delete('/v1/domains/reach');
      });
      expect((await one.post('/v1/query', question)).body.items).toMatchObject(
        before.map(({ id, score }: { id: string; score: number }) => ({ id, score })),
      );
      expect((await one.get('/v1/vectors')).body.indexes).toEqual(['mine']);
    });
    // The same service finds its own again only with its own data directory: `withService` gives a new one.
    await expect(openService(environment)).rejects.toThrow(refusal);
  }, 120_000);
});

describe('prefixes on one Qdrant', () => {
  it('of two services may not begin alike', async () => {
    const environment = { SVC_VEC: 'qdrant', ...ownCollections(qdrant) };
    await withService(environment, async () => {
      const SVC_QDRANT_PREFIX = environment.SVC_QDRANT_PREFIX.slice(0, -1);
      await expect(openService({ ...environment, SVC_QDRANT_PREFIX })).rejects.toThrow(
        /begin alike.*SVC_QDRANT_PREFIX/,
      );
    });
  });

  it('are checked before anything is opened', async () => {
    const environment = { SVC_VEC: 'qdrant', SVC_QDRANT_URL: qdrant };
    for (const prefix of ['owner-of-', 'a/b', 'a b', 'x'.repeat(61)]) {
      await expect(openService({ ...environment, SVC_QDRANT_PREFIX: prefix })).rejects.toThrow(
        /qdrant_prefix|SVC_QDRANT_PREFIX/,
      );
    }
  });
});
