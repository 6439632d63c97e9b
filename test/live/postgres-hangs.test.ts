import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { openPostgres } from '../../src/backends/store/engine/postgres.js';
import { openService, reachText, type TestService } from '../service/harness.js';
import { waitFor } from '../support/wait-for.js';
import { FreshDatabases } from './fresh-databases.js';
import { type OwnPostgres, ownPostgres } from './own-servers.js';
import { type BreakingProxy, proxyTo } from './proxy.js';

// A server of its own, since it is stopped here.
let server: OwnPostgres;
let proxy: BreakingProxy;
let address: string;
beforeAll(async () => {
  server = await ownPostgres();
  address = await new FreshDatabases(server.url).make();
  proxy = await proxyTo(address);
});
afterEach(() => {
  server.thaw();
  proxy.become('open');
});
afterAll(async () => {
  await proxy?.stop();
  await server?.stop();
});

const question = { context: 'Who designed the Aldra Tower?', domains: ['reach'] };
/** How the server hangs, and how it comes back. */
const HANGS = {
  'whose processes are stopped': { stop: () => server.freeze(), resume: () => server.thaw(), url: () => address },
  'whose network goes silent': {
    stop: () => proxy.become('silent'),
    resume: () => proxy.become('open'),
    url: () => Object.assign(new URL(address), { host: proxy.place }).href,
  },
} as const;

const refused = (answer: { status: number; body: { code?: string } }) => [answer.status, answer.body.code];
const UNAVAILABLE = [503, 'unavailable'];

/** What each route answers while the server hangs: each by a limit of its own, or it would not answer at all. */
async function expectDegraded(test: TestService): Promise<void> {
  const [health, status, ready, query, ingest] = await Promise.all([
    test.get('/v1/health'),
    test.get('/v1/status'),
    test.get('/v1/ready'),
    test.post('/v1/query', question),
    test.post('/v1/ingest/text', reachText('island')),
  ]);
  expect([health.status, health.body]).toEqual([200, { status: 'ok' }]);
  expect([status.status, status.body.status]).toEqual([200, 'degraded']);
  expect(status.body.health.store).not.toBe('ok');
  expect(status.body.problems).toContain(`store: ${status.body.health.store}`);
  expect(refused(ready)).toEqual(UNAVAILABLE);
  expect(ready.body.error).toContain('store: ');
  expect(refused(query)).toEqual(UNAVAILABLE);
  expect(refused(ingest)).toEqual(UNAVAILABLE);
}

describe.each(Object.entries(HANGS))('PostgreSQL %s', (_, { stop, resume, url }) => {
  it('leaves health, status, ready and a query answers within the limits of their parts, and all works again after', async () => {
    const test = await openService({ SVC_STORE: 'postgres', DATABASE_URL: url(), SVC_QUERY_TIMEOUT_MS: '0' });
    try {
      expect((await test.post('/v1/ingest/text', reachText('tower'))).status).toBe(200);
      stop();
      // On a connection that is open already, where nothing but the silence tells that no answer comes.
      expect(refused(await test.post('/v1/query', question))).toEqual(UNAVAILABLE);
      await expectDegraded(test);
      // What is known to be silent is not waited for again.
      await expectDegraded(test);
      resume();
      await waitFor(async () => expect((await test.get('/v1/ready')).status).toBe(200), { timeout: 60_000 });
      expect((await test.get('/v1/status')).body.status).toBe('ok');
      expect((await test.post('/v1/query', question)).body.items[0].content).toContain('Aldra Tower');
      expect((await test.post('/v1/ingest/text', reachText('voss'))).status).toBe(200);
    } finally {
      resume();
      await test.close();
    }
  });

  it('ends a start with one clear error', async () => {
    stop();
    await expect(openPostgres(url())).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('PostgreSQL does not answer'),
    });
  });

  it('ends a service that is told to stop meanwhile', async () => {
    const test = await openService({ SVC_STORE: 'postgres', DATABASE_URL: url() });
    stop();
    await test.close();
  });
});

describe('PostgreSQL that is slow', () => {
  it('is not taken for one that hangs: a statement of five seconds, and one that waits for a lock, answer', async () => {
    const store = await openPostgres(address);
    const holder = await store.pool.connect();
    try {
      await holder.query('create table held ()');
      await holder.query('begin; lock table held');
      const [slow] = await Promise.all([
        sql<{ n: number }>`select pg_sleep(5), 1 as n`.execute(store.db),
        sql`select count(*) from held`.execute(store.db),
        new Promise((done) => setTimeout(done, 3500)).then(() => holder.query('rollback')),
      ]);
      expect(slow.rows[0]?.n).toBe(1);
    } finally {
      holder.release();
      await store.close();
    }
  });
});
