import { afterAll, describe, expect, it } from '@jest/globals';
import { reachText, type TestService, withService } from '../service/harness.js';
import { waitFor } from '../support/wait-for.js';
import { liveUrl } from '../vector/live-engine.js';
import { ownCollections } from './empty-qdrant.js';
import { FreshDatabases } from './fresh-databases.js';
import { type BreakingProxy, proxyTo } from './proxy.js';

const postgres = liveUrl('PG_URL', 'PostgreSQL');
const qdrant = liveUrl('QDRANT_URL', 'Qdrant');
if (postgres === undefined || qdrant === undefined)
  throw new Error('PG_URL or QDRANT_URL is not set; run the live tests with `npm run test:live`.');
const databases = new FreshDatabases(postgres);
afterAll(() => databases.dropAll());

const through = (url: string, proxy: BreakingProxy): string => Object.assign(new URL(url), { host: proxy.place }).href;

/** The store is SQLite: only the vectors lie in the engine, behind the proxy. */
const ENGINES = {
  Qdrant: async () => {
    const proxy = await proxyTo(qdrant);
    return { proxy, environment: { SVC_VEC: 'qdrant', ...ownCollections(through(qdrant, proxy)) } };
  },
  pgvector: async () => {
    const url = await databases.make();
    const proxy = await proxyTo(url);
    return { proxy, environment: { SVC_VEC: 'pgvector', DATABASE_URL: through(url, proxy) } };
  },
} as const;

const question = { context: 'Who designed the Aldra Tower?', domains: ['reach'] };
const ask = async (test: TestService) => (await test.post('/v1/query', question)).body;

describe.each(Object.entries(ENGINES))('vectors in %s, which stops answering', (_, engine) => {
  it.each(['refusing', 'silent'] as const)('(%s) leave answers from text and graph, with a warning', async (how) => {
    const { proxy, environment } = await engine();
    // Without a time budget a query that waits for the engine would wait for ever.
    const limits = { SVC_QUERY_TIMEOUT_MS: '0', SVC_FOLLOW_TIMEOUT_MS: '1000' };
    await withService({ ...environment, ...limits }, async (test) => {
      try {
        expect((await test.post('/v1/ingest/text', reachText('tower'))).status).toBe(200);
        expect(await ask(test)).not.toHaveProperty('warnings');
        proxy.become(how);
        const answer = await ask(test);
        expect(answer.warnings).toEqual(['The vector index does not answer; items come from text and graph alone.']);
        expect(answer.items[0].content).toContain('Aldra Tower');
        const { status, body } = await test.get('/v1/status');
        expect([status, body.status, body.problems.join()]).toEqual([
          200,
          'degraded',
          expect.stringContaining('vector: '),
        ]);
        expect((await test.post('/v1/query', { ...question, mode: 'vec' })).body.code).toBe('unavailable');
        proxy.become('open');
        await waitFor(async () => expect(await ask(test)).not.toHaveProperty('warnings'), { timeout: 60_000 });
      } finally {
        proxy.become('open');
      }
    }).finally(() => proxy.stop());
  });
});
