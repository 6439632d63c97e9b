import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { Pool } from 'undici';
import { openPostgres, type PostgresStore } from '../../src/backends/store/engine/postgres.js';
import { openSqlite } from '../../src/backends/store/engine/sqlite.js';
import { edgeId, type GraphEdge } from '../../src/core/model.js';
import { Credit } from '../../src/learning/credit/credit.js';
import { collectPairs, promotePairs } from '../../src/learning/feedback/pairs.js';
import { DAY_MS } from '../../src/learning/learner/retention.js';
import { Learning } from '../../src/learning/learning.js';
import { along, type FeedbackFixture, feedbackFixture, item, taught } from '../learning/feedback-fixture.js';
import { learningServer, START } from '../learning/fixture.js';
import { json } from '../server/harness.js';
import { describeLive, liveUrl } from '../vector/live-engine.js';

describeLive('learning on PostgreSQL', liveUrl('PG_URL', 'PostgreSQL'), (server) => {
  const stores: PostgresStore[] = [];
  let drop: () => Promise<void>;

  beforeAll(async () => {
    const name = `learning_${process.pid}_${Date.now()}`;
    const admin = await openPostgres(server, { migrate: false, connections: 1 });
    await sql`create database ${sql.ref(name)}`.execute(admin.db);
    const address = new URL(server);
    address.pathname = `/${name}`;
    // Two pools: two replicas of the service on one database.
    for (let replica = 0; replica < 2; replica += 1) stores.push(await openPostgres(address.href, { connections: 8 }));
    drop = async () => {
      for (const store of stores) await store.close();
      await sql`drop database ${sql.ref(name)} with (force)`.execute(admin.db);
      await admin.close();
    };
  });
  afterAll(() => drop());

  const replicas = (): Learning[] =>
    stores.map((store) => new Learning(store, { clock: () => START, seed: 1, openStore: openSqlite }));

  describe('the learner', () => {
    it('loses none of 1,000 parallel observations over two replicas', async () => {
      const [one, two] = replicas() as [Learning, Learning];
      await Promise.all(
        Array.from({ length: 1000 }, (_, i) =>
          (i % 2 === 0 ? one : two).observe({
            learner: 'p',
            arm_id: 'a',
            outcome: i % 3 === 0 ? 'accepted' : 'rejected',
          }),
        ),
      );
      for (const replica of [one, two]) {
        const { posteriors } = await replica.posteriors({ learner: 'p' });
        expect(posteriors.a).toMatchObject({ pulls: 1000, alpha: 335, beta: 667, total_reward: 334 });
      }
    });

    it('loses none of 1,000 parallel observations over HTTP, half on each of two servers', async () => {
      const learnings = replicas();
      const servers = await Promise.all(learnings.map((learning) => learningServer(learning)));
      const pools = servers.map(({ url }) => new Pool(url, { connections: 50 }));
      const statuses = await Promise.all(
        Array.from({ length: 1000 }, async (_, i) => {
          const { statusCode, body } = await pools[i % 2]!.request({
            method: 'POST',
            path: '/v1/learning/observe',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ learner: 'http', arm_id: 'a', outcome: i % 4 === 0 ? 'accepted' : 'rejected' }),
          });
          await body.dump();
          return statusCode;
        }),
      );
      expect(new Set(statuses)).toEqual(new Set([200]));
      for (const { url } of servers) {
        const { posteriors } = await json(await fetch(`${url}/v1/learning/http/posteriors`));
        expect(posteriors).toMatchObject({ a: { pulls: 1000, alpha: 251, beta: 751 } });
      }
      await Promise.all(pools.map((pool) => pool.close()));
      await Promise.all(servers.map((running) => running.close()));
    });

    it('shows a write of one replica to the other at once, deletions included', async () => {
      const [one, two] = replicas() as [Learning, Learning];
      const context = { user: 7 };
      for (let round = 0; round < 5; round += 1) {
        await one.observe({ learner: 'q', arm_id: `arm-${round}`, reward: 1, context });
        expect(Object.keys((await two.posteriors({ learner: 'q', context })).posteriors)).toHaveLength(round + 1);
      }
      await two.reset({ learner: 'q', arm_ids: ['arm-0', 'arm-1'], context });
      expect(Object.keys((await one.posteriors({ learner: 'q', context })).posteriors)).toHaveLength(3);
      expect(await two.reset({ learner: 'q' })).toMatchObject({ deleted: 3 });
      expect((await one.posteriors({ learner: 'q', context })).posteriors).toEqual({});
    });

    it('never tracks more arms than max_arms, however many replicas bring them', async () => {
      const small = await Promise.all(replicas().map((replica) => replica.configure({ name: 'small', max_arms: 10 })));
      const settled = await Promise.allSettled(
        Array.from({ length: 60 }, (_, i) => small[i % 2]!.observe({ arm_id: `arm-${i % 30}`, reward: 1 })),
      );
      expect(Object.keys(await small[0]!.posteriors())).toHaveLength(10);
      const refused = settled.filter((result) => result.status === 'rejected');
      expect(refused.length).toBeGreaterThanOrEqual(40);
      for (const { reason } of refused) expect(reason).toMatchObject({ code: 'conflict' });
    });

    it('records sessions and metrics, decays, gives credit, and prunes', async () => {
      const learner = await replicas()[0]!.configure({ name: 'all', baseline_rate: 1 });
      const { session_id } = await learner.sessionStart('s');
      await learner.select([{ id: 'a', token_cost: 3 }, { id: 'b' }], null, { k: 0, token_budget: 5 });
      await learner.observe({ arm_id: 'a', outcome: 'partial' });
      expect(await learner.sessionEnd(session_id)).toMatchObject({ outcomes: [{ arm_id: 'a', reward: 0.5 }] });
      expect(await learner.decayArm('a', 0.5)).toMatchObject({ alpha: 1.25, beta: 1.25 });
      expect(await learner.applyCreditDeltas({ a: { alpha: -3, beta: 0.25 } })).toMatchObject({
        a: { alpha: 0.01, beta: 1.5 },
      });
      expect(await learner.metrics({ window: 5 })).toMatchObject({ total_pulls: 1, explore_ratio: 1, selections: 1 });
      const later = new Learning(stores[1]!, { clock: () => START + 100 * DAY_MS, openStore: openSqlite });
      expect(await later.prune()).toBeGreaterThan(1000);
      expect((await later.summary()).total_observations).toBeGreaterThan(1000);
    });
  });

  describe('feedback', () => {
    const edge = edgeId('d:x', 'REQUIRES', 'd:a');
    const items = [item('d:a', { source_id: 's1', edges: [{ id: edge, share: 1 }] }), item('d:b', { source_id: 's2' })];
    const causal: GraphEdge = {
      id: edge,
      source_id: 'd:x',
      target_id: 'd:a',
      relation_type: 'REQUIRES',
      confidence: 1,
      properties: {},
    };
    const credit = new Credit({
      getEdges: async () => [causal],
      getDomain: async (name) => ({
        name,
        description: '',
        concept_count: 2,
        edge_count: 1,
        rule_count: 0,
        passages: 0,
      }),
      version: async () => 1,
    });
    const pair = (): Promise<[FeedbackFixture, FeedbackFixture]> =>
      Promise.all([feedbackFixture({ store: stores[0]!, credit }), feedbackFixture({ store: stores[1]!, credit })]);

    it('counts at once in the other replica, and no parallel feedback is lost', async () => {
      const [one, two] = await pair();
      await Promise.all(Array.from({ length: 30 }, (_, i) => (i % 2 === 0 ? one : two).ask(`f${i}`, items)));
      await Promise.all(
        Array.from({ length: 30 }, (_, i) =>
          (i % 2 === 0 ? two : one).feedback.record({
            query_id: `f${i}`,
            outcomes: { 'd:a': 'accepted', 'd:b': 'rejected' },
          }),
        ),
      );
      for (const replica of [one, two]) {
        expect((await replica.interoception.edgeFactors()).get(edge)).toBeCloseTo(2 - 0.8 ** 30, 9);
        const amounts = await replica.interoception.itemPriors('who wrote it?', along(0), ['d:a', 'd:b']);
        expect(amounts.get('d:a')).toBeGreaterThan(1);
        expect(amounts.get('d:b')).toBeLessThan(-1);
      }
      expect(await one.feedback.activity()).toMatchObject({
        queries_served: 30,
        feedback_given: 30,
        outcomes: { accepted: 30 },
      });
    });

    it('is replaced exactly, reported, reset by source, and pruned', async () => {
      const [one] = await pair();
      await one.interoception.reset();
      const before = await taught(one.store);
      await one.ask('r1', items);
      await one.feedback.record({ query_id: 'r1', outcomes: { 'd:a': 'rejected' } });
      const alone = await taught(one.store);
      for (const outcome of ['accepted', 'partial', 'rejected']) {
        await one.feedback.record({ query_id: 'r1', outcomes: { 'd:a': outcome } });
      }
      expect(await taught(one.store)).toEqual(alone);
      expect(alone).not.toEqual(before);
      expect((await one.interoception.report()).edges[0]).toMatchObject({ edge_id: edge, events: 1 });
      expect(await one.interoception.reset({ source_id: 's1' })).toMatchObject({ feedback: 1, edges: 1, items: 1 });
      one.now += 100 * DAY_MS;
      expect(await one.feedback.prune()).toBe(31);
    });

    it('buffers and promotes close pairs', async () => {
      const [one] = await pair();
      const ports = {
        store: one.store,
        clock: () => one.now,
        settings: one.interoception.settings,
        graph: { getEdges: async () => [] },
        vectorsOf: async (ids: readonly string[]) => new Map(ids.map((id) => [id, along(0)])),
        load: async () => undefined,
      };
      for (const query of ['p1', 'p2', 'p3']) {
        await one.ask(query, items);
        await one.feedback.record({ query_id: query, outcomes: { 'd:a': 'accepted', 'd:b': 'partial' } });
      }
      expect(await collectPairs(ports)).toBe(3);
      expect(await promotePairs(ports)).toBe(1);
      expect(await one.interoception.status()).toMatchObject({ backend: 'postgres', buffer: { total_promoted: 1 } });
    });
  });
});
