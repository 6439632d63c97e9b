import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { openPostgres, type PostgresStore } from '../../src/backends/store/engine/postgres.js';
import { arm, armsOf, RUN } from '../gateway/learning-runs.js';
import { type GatewayWorld, gatewayWorld, NOON, post } from '../gateway/world.js';
import { describeLive, liveUrl } from '../vector/live-engine.js';

const known = JSON.parse(readFileSync('test/fixtures/green/known-answers.json', 'utf8'));

describeLive('the gateway on PostgreSQL', liveUrl('PG_URL', 'PostgreSQL'), (server) => {
  const stores: PostgresStore[] = [];
  const worlds: GatewayWorld[] = [];
  let drop: () => Promise<void>;

  beforeAll(async () => {
    const name = `gateway_${process.pid}_${Date.now()}`;
    const admin = await openPostgres(server, { migrate: false, connections: 1 });
    await sql`create database ${sql.ref(name)}`.execute(admin.db);
    const address = new URL(server);
    address.pathname = `/${name}`;
    // Two pools: two replicas of the service on one database. The first migrates it.
    for (let replica = 0; replica < 2; replica += 1) {
      const store = await openPostgres(address.href, { connections: 8 });
      stores.push(store);
      worlds.push(await gatewayWorld({ store, now: known.now }));
    }
    drop = async () => {
      for (const world of worlds) await world.close();
      for (const store of stores) await store.close();
      await sql`drop database ${sql.ref(name)} with (force)`.execute(admin.db);
      await admin.close();
    };
  });
  afterAll(() => drop());

  it('teaches once a run, however many replicas receive it at once', async () => {
    const runs = Array.from({ length: 40 }, (_, i) => ({
      ...RUN,
      traceId: `t${i}`,
      runId: `r${i}`,
      timestamp: NOON + i,
      usage: null,
      arms: [arm('a'), arm('b', i % 2 === 0), arm('c', false, false)],
    }));
    const answers = await Promise.all(
      worlds.flatMap((world) => runs.map((run) => world.learning('/ingest', post(run)))),
    );
    for (const { status } of answers) expect(status).toBe(200);
    for (const world of worlds) {
      expect(await armsOf(world)).toEqual({ a: [41, 1, 40], b: [21, 21, 40] });
      expect((await world.learning('/summary')).body).toMatchObject({ traceCount: 40, armCount: 2 });
      expect((await world.learning('/timeseries?metric=convergence')).body.buckets).toHaveLength(2);
    }
    expect((await worlds[0]!.learning('/reset', { method: 'POST' })).body.reset_count).toBe(2);
    expect(await armsOf(worlds[1]!)).toEqual({ a: [1, 1, 0], b: [1, 1, 0] });
  });

  it('answers the known figures, from traces that came in twice and in parts', async () => {
    const half = Math.ceil(known.traces.length / 2);
    await Promise.all([
      worlds[0]!.green('/ingest', post(known.traces.slice(0, half))),
      worlds[1]!.green('/ingest', post(known.traces.slice(half - 20))),
      worlds[1]!.green('/ingest', post(known.traces)),
    ]);
    const summary = known.summaries[''];
    const { emissions_tCO2eq: tonnes } = known.periods['2025-Q2']['ghg-protocol'].scope3Category1;
    for (const world of worlds) {
      const { body } = await world.green('/summary');
      for (const name of ['traceCount', 'totalTokens', 'minTimestamp', 'maxTimestamp']) {
        expect([name, body[name]]).toEqual([name, summary[name]]);
      }
      for (const name of ['totalCo2Grams', 'totalWaterMl', 'avgConfidence', 'intensityPerMillionTokens']) {
        expect(Math.abs(body[name] / summary[name] - 1)).toBeLessThan(1e-9);
      }
      const { buckets } = (await world.green('/timeseries?window=7d')).body;
      expect(buckets.map(({ t }: { t: number }) => t)).toEqual(known.series['7d'].map(({ t }: { t: number }) => t));
      const report = (await world.green('/export/ghg-protocol?period=2025-Q2')).body;
      expect(report.scope3Category1.emissions_tCO2eq).toBeCloseTo(tonnes, 12);
    }
    expect(await worlds[1]!.gateway.green.recompute()).toMatchObject({ traces: 200, changed: 0 });
    expect((await worlds[0]!.green('/traces?limit=3&offset=1')).body).toMatchObject({
      total: 200,
      limit: 3,
      offset: 1,
    });
  });

  it('keeps targets for all replicas', async () => {
    const target = {
      targetId: 'x',
      name: 'Less',
      baseYear: 2024,
      targetYear: 2030,
      targetReductionPercent: 40,
      pathway: '2C',
    };
    expect((await worlds[0]!.green('/targets', post(target))).status).toBe(201);
    expect((await worlds[1]!.green('/targets', post(target))).body.code).toBe('CONFLICT');
    expect((await worlds[1]!.green('/targets')).body.targets).toHaveLength(1);
    expect((await worlds[1]!.green('/targets/x', { method: 'DELETE' })).body).toEqual({ removed: 'x' });
    expect((await worlds[0]!.green('/targets')).body.targets).toEqual([]);
  });
});
