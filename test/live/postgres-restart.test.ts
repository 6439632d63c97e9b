import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openPostgres } from '../../src/backends/store/engine/postgres.js';
import { openService, reachText, type TestService } from '../service/harness.js';
import { FreshDatabases } from './fresh-databases.js';
import { type OwnPostgres, ownPostgres } from './own-servers.js';

// A server of its own, since it is killed here.
let server: OwnPostgres;
let databases: FreshDatabases;
beforeAll(async () => {
  server = await ownPostgres();
  databases = new FreshDatabases(server.url);
});
afterAll(() => server?.stop());

const question = { context: 'Who designed the tower?', domains: ['reach'] };
const ROUTES: ReadonlyArray<readonly [path: string, body?: object]> = [
  ['/v1/query', question],
  ['/v1/ingest/text', reachText('island')],
  ['/v1/explore', { node_id: 'reach:x' }],
  ['/v1/rules', {}],
  ['/v1/vectors/colours/upsert', { vectors: [[1, 2]], ids: ['red'] }],
  ['/v1/vectors/colours/query', { query_vector: [1, 2] }],
  ['/v1/learning/observe', { learner: 'l', arm_id: 'a', reward: 1 }],
  ['/v1/domains'],
  ['/v1/documents'],
  ['/v1/stats'],
  ['/v1/ready'],
];

async function expectUnavailable(test: TestService): Promise<void> {
  const answers = await Promise.all(
    ROUTES.map(async ([path, body]) => ({ path, ...(await (body ? test.post(path, body) : test.get(path))) })),
  );
  for (const { path, status, body, headers } of answers) {
    expect([path, status, body.code]).toEqual([path, 503, 'unavailable']);
    expect([path, headers.get('retry-after')]).toEqual([path, '1']);
    expect(body.error).not.toMatch(/127\.0\.0\.1|postgres:\/\//);
  }
  expect((await test.get('/v1/health')).status).toBe(200);
  const { status, body } = await test.get('/v1/status');
  expect([status, body.status]).toEqual([200, 'degraded']);
  expect(body.problems.join()).toMatch(/store: (PostgreSQL does not answer|no answer)/);
  // The figures of the process are read then more than ever.
  const metrics = await fetch(`${test.url}/metrics`);
  expect(metrics.status).toBe(200);
  expect(await metrics.text()).toMatch(/svc_http_requests_total\{[^}]*status="503"\} \d/);
}

describe('PostgreSQL that goes away', () => {
  it('makes every route answer 503 while it is gone, and the next request work once it is back', async () => {
    const test = await openService(await databases.environment());
    expect((await test.post('/v1/ingest/text', reachText('tower'))).status).toBe(200);
    await test.post('/v1/vectors', { index_name: 'colours', dimension: 2 });
    for (const _ of [1, 2]) {
      server.crash();
      await expectUnavailable(test);
      await server.restart();
      expect((await test.get('/v1/ready')).status).toBe(200);
      expect((await test.post('/v1/query', question)).body.items.length).toBeGreaterThan(0);
      expect((await test.post('/v1/ingest/text', reachText('voss'))).status).toBe(200);
    }
    await test.close();
  });

  it('loses no acknowledged write when it is killed under load', async () => {
    const test = await openService(await databases.environment());
    const acknowledged: string[] = [];
    let stopped = false;
    const writers = Array.from({ length: 8 }, async (_, w) => {
      for (let i = 0; !stopped; i += 1) {
        const id = `w${w}-${i}`;
        const answer = await test.post('/v1/ingest/structured', {
          domain: 'plant',
          source_id: id,
          concepts: [{ name: id, description: 'A part' }],
        });
        if (answer.status === 200) acknowledged.push(id);
        else expect([answer.status, answer.body.code]).toEqual([503, 'unavailable']);
      }
    });
    for (const round of [1, 2]) {
      while (acknowledged.length < round * 60) await new Promise((resolve) => setTimeout(resolve, 10));
      server.crash();
      await server.restart();
    }
    stopped = true;
    await Promise.all(writers);
    const nodes = await test.service.graph.findNodes({ domain: 'plant', kind: 'concept' });
    const { indexName } = await test.service.concepts.current();
    const vectors = await test.service.vectors.fetch(
      indexName,
      nodes.map((node) => node.id),
    );
    const names = new Set(nodes.filter((node) => vectors.has(node.id)).map((node) => node.name));
    expect(acknowledged.filter((id) => !names.has(id))).toEqual([]);
    await test.close();
  });

  it('answers 503 while all its connections are taken, and serves again when they are free', async () => {
    const test = await openService(await databases.environment());
    const { pool } = test.service.store as Awaited<ReturnType<typeof openPostgres>>;
    const taken = await Promise.all(Array.from({ length: 10 }, () => pool.connect()));
    await expectUnavailable(test);
    for (const client of taken) client.release();
    expect((await test.post('/v1/ingest/text', reachText('tower'))).status).toBe(200);
    expect((await test.post('/v1/query', question)).status).toBe(200);
    await test.close();
  });

  it('serves many more callers at once than it has connections', async () => {
    const test = await openService(await databases.environment());
    await test.post('/v1/ingest/text', reachText('tower'));
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, i) =>
        i % 4 === 0
          ? test.post('/v1/learning/observe', { learner: 'l', arm_id: `a${i % 3}`, reward: 1 })
          : test.post('/v1/query', question),
      ),
    );
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
    await test.close();
  });

  it('says what to check when the server is not there at the start, without the address', async () => {
    const nobody = openPostgres('postgres://someone:hidden@127.0.0.1:9/none');
    await expect(nobody).rejects.toMatchObject({ code: 'unavailable' });
    await expect(nobody).rejects.not.toThrow(/hidden|127\.0\.0\.1/);
  });
});
