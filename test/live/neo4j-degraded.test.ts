import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Neo4jConnection } from '../../src/backends/neo4j-connection.js';
import { openService, reachText, type TestService } from '../service/harness.js';
import { waitFor } from '../support/wait-for.js';
import { neo4jEnvironment, neo4jOptions } from './neo4j.js';
import { type OwnNeo4j, ownNeo4j } from './own-servers.js';
import { type BreakingProxy, proxyTo } from './proxy.js';

const question = { context: 'Who designed the Aldra Tower?', domains: ['reach'] };
const engines = async (test: TestService) => (await test.get('/v1/status')).body.engines as Array<{ engine: string }>;
const following = (test: TestService) =>
  waitFor(
    async () => {
      for (const engine of await engines(test)) expect(engine).toMatchObject({ state: 'following', behind: 0 });
    },
    { timeout: 120_000, interval: 500 },
  );
const written = async (test: TestService) => {
  const done = await test.service.followers.resync(undefined);
  return [...done].map(([engine, { removed }]) => [engine, removed]);
};

describe('a Neo4j that stops answering while a service uses it', () => {
  let proxy: BreakingProxy;
  let test: TestService;
  const open = async (environment: Record<string, string> = {}) => {
    const empty = await neo4jEnvironment();
    proxy = await proxyTo(neo4jOptions().uri);
    const own = { SVC_NEO4J_URI: `bolt://${proxy.place}`, SVC_FOLLOW_TIMEOUT_MS: '1000' };
    test = await openService({ ...empty, ...own, ...environment });
    await following(test);
  };
  afterEach(async () => {
    proxy.become('open');
    await test.close();
    await proxy.stop();
  });

  it.each(['silent', 'refusing'] as const)(
    'for the graph (%s) leaves answers from the other parts, and has all of it later',
    async (how) => {
      await open();
      await test.post('/v1/ingest/text', reachText('tower'));
      expect((await test.post('/v1/query', question)).body).not.toHaveProperty('warnings');
      proxy.become(how);
      // Nobody knows yet: this write is kept, with a warning.
      const { status, body } = await test.post('/v1/ingest/text', reachText('island'));
      expect([status, body.warnings.join()]).toEqual([200, expect.stringContaining('has not applied this write yet')]);
      const { body: answer } = await test.post('/v1/query', question);
      expect(answer.warnings).toEqual([expect.stringContaining('items come from text and vectors alone')]);
      expect(answer.items[0].content).toContain('Aldra Tower');
      expect((await test.get('/v1/documents')).body.documents).toHaveLength(2);
      expect((await test.post('/v1/rules', { domains: ['reach'] })).status).toBe(200);
      await waitFor(
        async () => {
          expect((await test.get('/v1/status')).body.status).toBe('degraded');
          expect(await engines(test)).toContainEqual(
            expect.objectContaining({ engine: 'neo4j', state: 'degraded', behind: 1 }),
          );
        },
        { timeout: 60_000, interval: 500 },
      );
      expect(await test.post('/v1/ingest/text', reachText('voss'))).toMatchObject({ status: 503 });
      proxy.become('open');
      await following(test);
      expect((await test.post('/v1/ingest/text', reachText('voss'))).status).toBe(200);
      await following(test);
      const { body: later } = await test.post('/v1/query', { context: 'Where is Skarn Island?', domains: ['reach'] });
      expect(later).not.toHaveProperty('warnings');
      expect(later.items.some(({ content }: { content: string }) => content.includes('Northern Reach'))).toBe(true);
      expect(await written(test)).toEqual([['neo4j', 0]]);
    },
    240_000,
  );

  it.each(['silent', 'refusing'] as const)(
    'for graph and text (%s) leaves answers from vectors, refuses writes, and has all of it later',
    async (how) => {
      await open({ SVC_TEXT: 'neo4j' });
      await test.post('/v1/ingest/text', reachText('tower'));
      expect((await test.post('/v1/query', question)).body).not.toHaveProperty('warnings');
      proxy.become(how);
      const { body: answer } = await test.post('/v1/query', question);
      expect(answer.warnings).toEqual([expect.stringContaining('items come from vectors alone')]);
      expect(answer.items[0].content).toContain('Aldra Tower');
      // Links are made from the text index: without it nothing is written.
      expect(await test.post('/v1/ingest/text', reachText('island'))).toMatchObject({ status: 503 });
      expect((await test.get('/v1/documents')).body.documents).toHaveLength(1);
      proxy.become('open');
      const again = async () => expect((await test.post('/v1/ingest/text', reachText('island'))).status).toBe(200);
      await waitFor(again, { timeout: 60_000, interval: 1000 });
      await following(test);
      expect(await written(test)).toEqual([
        ['neo4j', 0],
        ['neo4j-text', 0],
      ]);
    },
    240_000,
  );
});

describe('a Neo4j that refuses a record', () => {
  let server: OwnNeo4j;
  beforeAll(async () => {
    server = await ownNeo4j({ settings: { 'db.memory.transaction.max': '2m' } });
  });
  afterAll(() => server?.stop());

  it('as too large for the memory of a transaction, holds up only that one, and status names it', async () => {
    const test = await openService({ SVC_GRAPH: 'neo4j', SVC_NEO4J_URI: server.uri });
    try {
      const concepts = [
        { name: 'Small', description: 'A small one' },
        { name: 'First', description: 'First of the net' },
        { name: 'Second', description: 'Second of the net' },
      ];
      const answer = await test.post('/v1/ingest/structured', { domain: 'd', source_id: 'a', concepts });
      expect(answer.status).toBe(200);
      // Longer than a request may have it, not longer than the library takes it.
      await test.service.graph.addNode({ domain: 'd', name: 'Vast', description: 'all of it '.repeat(200_000) });
      await following(test);
      for (const engine of (await engines(test)).slice(0, 1)) {
        expect(engine).toMatchObject({
          refused: { count: 1, records: [{ kind: 'node', id: expect.stringContaining('d:') }] },
        });
      }
      const { body } = await test.get('/v1/status');
      expect([body.status, body.problems.join()]).toEqual(['degraded', expect.stringMatching(/1 record refused/)]);
      await test.post('/v1/ingest/text', reachText('tower'));
      await following(test);
      const found = await test.post('/v1/query', { context: 'second of the net', domains: ['d'] });
      expect(found.body.items[0].content).toContain('Second');
      // What is refused is still the ledger's, and can be forgotten.
      const { body: documents } = await test.get('/v1/documents?domain=d');
      expect(documents.documents).toHaveLength(2);
      for (const { source_id } of documents.documents) {
        expect((await test.delete(`/v1/documents/${source_id}`)).status).toBe(200);
      }
      await following(test);
      const direct = new Neo4jConnection({ uri: server.uri });
      await direct.connect();
      expect(await direct.query("MATCH (n:Node) WHERE n.id STARTS WITH 'd:' RETURN count(n) AS n")).toEqual([{ n: 0 }]);
      await direct.disconnect();
    } finally {
      await test.close();
    }
  }, 240_000);

  it('for a constraint that someone else made, gets it with the next sync after that is gone', async () => {
    const test = await openService({ SVC_GRAPH: 'neo4j', SVC_NEO4J_URI: server.uri });
    const direct = new Neo4jConnection({ uri: server.uri });
    const names = () => direct.query("MATCH (n:Node) WHERE n.id STARTS WITH 'e:' RETURN n.name AS name ORDER BY name");
    try {
      await direct.connect();
      await following(test);
      await direct.schema('CREATE CONSTRAINT theirs FOR (n:Node) REQUIRE n.name IS UNIQUE');
      const ingest = (domain: string, ...concepts: string[]) =>
        test.post('/v1/ingest/structured', { domain, concepts: concepts.map((name) => ({ name })) });
      expect(await ingest('d', 'Buoy')).toMatchObject({ status: 200 });
      expect(await ingest('e', 'Buoy', 'Anchor')).toMatchObject({ status: 200 });
      await following(test);
      const [engine] = await engines(test);
      expect(engine).toMatchObject({
        refused: { count: 1, records: [{ kind: 'node', id: expect.stringContaining('e:') }] },
      });
      expect(await names()).toEqual([{ name: 'Anchor' }]);
      expect((await test.post('/v1/query', { context: 'Buoy', domains: ['e'] })).status).toBe(200);
      await direct.schema('DROP CONSTRAINT theirs');
      await written(test);
      expect(await names()).toEqual([{ name: 'Anchor' }, { name: 'Buoy' }]);
      expect((await engines(test))[0]).not.toHaveProperty('refused');
    } finally {
      await direct.schema('DROP CONSTRAINT theirs IF EXISTS');
      await direct.disconnect();
      await test.close();
    }
  }, 240_000);
});
