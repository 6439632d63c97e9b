import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { readCounters } from '../../src/backends/store/gateway/intake-keys.js';
import type { Listening } from '../../src/server/listen.js';
import { type LearningFixture, learningFixture, learningServer } from '../learning/fixture.js';
import { frontOf, type StatusOf } from './learner-front.js';
import { arm, armsOf, RUN } from './learning-runs.js';
import { type GatewayWorld, gatewayWorld, NOON, post } from './world.js';

/** Longer than a run is left alone before the other service hears of it, ms. */
const QUIET = 31_000;

let there: LearningFixture;
let server: Listening;
let world: GatewayWorld;
beforeEach(async () => {
  there = await learningFixture();
  server = await learningServer(there.learning);
  world = await gatewayWorld({ environment: { SVC_LEARNING_URL: server.url } });
});
afterEach(async () => {
  await world.close();
  await server.close();
  await there.close();
});

const posteriorsThere = async () => {
  const { posteriors } = await there.learning.posteriors({ learner: 'gateway' });
  return Object.fromEntries(
    Object.entries(posteriors).map(([id, { alpha, beta, pulls }]) => [id, [alpha, beta, pulls]]),
  );
};

it('teaches the other service once a run, when the run is complete', async () => {
  await world.learning('/ingest', post(RUN));
  await world.gateway.learning.flush();
  expect(await posteriorsThere()).toEqual({});
  // A late part of the run: the other tool was used as well.
  await world.learning('/ingest', post({ ...RUN, traceId: 't1-late', arms: [arm('tool:web:Search')], usage: null }));
  world.now = NOON + QUIET;
  await world.gateway.learning.flush();
  const taught = { 'tool:fs:Read': [2, 1, 1], 'tool:web:Search': [2, 1, 1] };
  expect(await posteriorsThere()).toEqual(taught);
  await world.learning('/ingest', post(RUN));
  world.now = NOON + 2 * QUIET;
  await world.gateway.learning.flush();
  expect(await posteriorsThere()).toEqual(taught);
});

it('shows, rewards and resets the arms of the other service', async () => {
  expect((await world.learning('/reward', post({ arm_id: 'a' }))).body).toEqual({ ok: true, arm_id: 'a' });
  await world.learning('/reward', post({ arm_id: 'b', outcome: 'rejected' }));
  await there.learning.observe({ learner: 'gateway', arm_id: 'c', reward: 0.5 });
  expect(await armsOf(world)).toEqual({ a: [2, 1, 1], b: [1, 2, 1], c: [1.5, 1.5, 1] });
  expect((await world.learning('/summary')).body.armCount).toBe(3);
  const { buckets } = (await world.learning('/timeseries?metric=convergence')).body;
  expect(buckets).toEqual([
    { t: NOON, armId: 'a', value: 2 / 3 },
    { t: NOON, armId: 'b', value: 1 / 3 },
  ]);
  expect((await world.learning('/reset', post({ arm_ids: ['b'] }))).body).toEqual({
    learner: 'gateway',
    reset_count: 1,
    arm_ids: ['b'],
  });
  expect(await posteriorsThere()).toEqual({ a: [2, 1, 1], c: [1.5, 1.5, 1] });
  // An arm that was reset stays in the list, as Beta(1, 1).
  expect(await armsOf(world)).toEqual({ a: [2, 1, 1], b: [1, 1, 0], c: [1.5, 1.5, 1] });
});

it('keeps lessons while the other service is away, and teaches them when it is back', async () => {
  await server.close();
  await world.learning('/ingest', post(RUN));
  world.now = NOON + QUIET;
  await expect(world.gateway.learning.flush()).rejects.toMatchObject({ code: 'unavailable' });
  expect(await world.learning('/posteriors')).toMatchObject({
    status: 503,
    body: { error: 'Learning backend (the service) not available' },
  });
  expect((await world.learning('/traces')).body.total).toBe(1);
  server = await learningServer(there.learning);
  const back = await gatewayWorld({
    environment: { SVC_LEARNING_URL: server.url },
    store: world.store,
    now: world.now,
  });
  await back.gateway.learning.flush();
  await back.close();
  expect(await posteriorsThere()).toEqual({ 'tool:fs:Read': [2, 1, 1], 'tool:web:Search': [1, 2, 1] });
});

async function behindFront(statusOf: StatusOf, test: (near: GatewayWorld) => Promise<void>): Promise<void> {
  const front = await frontOf(server.url, { statusOf });
  const near = await gatewayWorld({ environment: { SVC_LEARNING_URL: front.url } });
  try {
    await test(near);
  } finally {
    await near.close();
    await front.end();
  }
}

it('teaches an arm once where a later arm of the run fails', async () => {
  let away = true;
  const statusOf = (armId: string) => (away && armId === 'tool:web:Search' ? 500 : undefined);
  await behindFront(statusOf, async (near) => {
    await near.learning('/ingest', post(RUN));
    near.now = NOON + QUIET;
    await expect(near.gateway.learning.flush()).rejects.toMatchObject({ code: 'unavailable' });
    expect(await posteriorsThere()).toEqual({ 'tool:fs:Read': [2, 1, 1] });
    away = false;
    await near.gateway.learning.flush();
    expect(await posteriorsThere()).toEqual({ 'tool:fs:Read': [2, 1, 1], 'tool:web:Search': [1, 2, 1] });
  });
});

it.each([400, 409])('drops a lesson that the other service refuses with %d, and goes on', async (status) => {
  let asked = 0;
  const statusOf = (armId: string) => {
    if (armId !== 'tool:fs:Read') return undefined;
    asked += 1;
    return status;
  };
  await behindFront(statusOf, async (near) => {
    await near.learning('/ingest', post([RUN, { ...RUN, traceId: 't2', runId: 'r2', arms: [arm('tool:a:b')] }]));
    near.now = NOON + QUIET;
    await near.gateway.learning.flush();
    await near.gateway.learning.flush();
    expect(await posteriorsThere()).toEqual({ 'tool:web:Search': [1, 2, 1], 'tool:a:b': [2, 1, 1] });
    expect(asked).toBe(1);
    expect(near.warnings.join()).toContain('tool:fs:Read');
    expect(await readCounters(near.store.db)).toMatchObject({ lessons_refused: 1 });
  });
});

it('teaches what arrives while the run is being taught', async () => {
  const open: GatewayWorld[] = [];
  const late = { ...RUN, traceId: 't1-late', arms: [arm('tool:z:Late')], usage: null };
  const statusOf = async (armId: string) => {
    if (armId === 'tool:web:Search') await open[0]!.learning('/ingest', post(late));
    return undefined;
  };
  await behindFront(statusOf, async (near) => {
    open.push(near);
    await near.learning('/ingest', post(RUN));
    near.now = NOON + QUIET;
    await near.gateway.learning.flush();
    near.now = NOON + 2 * QUIET;
    await near.gateway.learning.flush();
    expect(await posteriorsThere()).toEqual({
      'tool:fs:Read': [2, 1, 1],
      'tool:web:Search': [1, 2, 1],
      'tool:z:Late': [2, 1, 1],
    });
  });
});

const evaluation = (id: string, armId: string, score: number) => ({
  timeUnixNano: `${NOON}000000`,
  eventName: 'gen_ai.evaluation.result',
  attributes: [
    { key: 'request_id', value: { stringValue: id } },
    { key: 'svc.learning.arm_id', value: { stringValue: armId } },
    { key: 'gen_ai.evaluation.score.value', value: { doubleValue: score } },
  ],
});

it('sends evaluations of single arms to the other service, each once', async () => {
  const body = {
    resourceLogs: [{ scopeLogs: [{ logRecords: [evaluation('e1', 'a', 1), evaluation('e2', 'b', 0.25)] }] }],
  };
  await world.call('/v1/logs', post(body));
  await world.call('/v1/logs', post(body));
  expect(await posteriorsThere()).toEqual({});
  await world.gateway.learning.flush();
  await world.gateway.learning.flush();
  expect(await posteriorsThere()).toEqual({ a: [2, 1, 1], b: [1.25, 1.75, 1] });
  expect(await armsOf(world)).toEqual({ a: [2, 1, 1], b: [1.25, 1.75, 1] });
});

it('keeps evaluations while the other service is away', async () => {
  await server.close();
  const body = { resourceLogs: [{ scopeLogs: [{ logRecords: [evaluation('e1', 'a', 1)] }] }] };
  await world.call('/v1/logs', post(body));
  await expect(world.gateway.learning.flush()).rejects.toMatchObject({ code: 'unavailable' });
  server = await learningServer(there.learning);
  const back = await gatewayWorld({ environment: { SVC_LEARNING_URL: server.url }, store: world.store });
  await back.gateway.learning.flush();
  await back.close();
  expect(await posteriorsThere()).toEqual({ a: [2, 1, 1] });
});

it('sends no reward a second time that was given by hand', async () => {
  await world.learning('/reward', post({ arm_id: 'a' }));
  await world.gateway.learning.flush();
  expect(await posteriorsThere()).toEqual({ a: [2, 1, 1] });
});

it('counts a reward by hand once that is given again because its answer was lost, and another one beside it', async () => {
  let lost = 0;
  const front = await frontOf(server.url, {
    lose: () => {
      lost += 1;
      return lost <= 2;
    },
  });
  const near = await gatewayWorld({ environment: { SVC_LEARNING_URL: front.url } });
  const give = async () => (await near.learning('/reward', post({ arm_id: 'a' }))).status;
  expect([await give(), await give(), await give()]).toEqual([503, 503, 200]);
  expect(await posteriorsThere()).toEqual({ a: [2, 1, 1] });
  expect(await give()).toBe(200);
  expect(await posteriorsThere()).toEqual({ a: [3, 1, 2] });
  await near.close();
  await front.end();
});

it('counts a lesson once whose answer was lost', async () => {
  let lost = 0;
  const front = await frontOf(server.url, {
    lose: () => {
      lost += 1;
      return lost <= 2;
    },
  });
  const near = await gatewayWorld({ environment: { SVC_LEARNING_URL: front.url } });
  await near.learning('/ingest', post(RUN));
  await near.call('/v1/logs', post({ resourceLogs: [{ scopeLogs: [{ logRecords: [evaluation('e', 'a', 1)] }] }] }));
  near.now = NOON + QUIET;
  for (const _attempt of [1, 2]) {
    await expect(near.gateway.learning.flush()).rejects.toMatchObject({ code: 'unavailable' });
  }
  await near.gateway.learning.flush();
  await near.close();
  await front.end();
  expect(await posteriorsThere()).toEqual({ a: [2, 1, 1], 'tool:fs:Read': [2, 1, 1], 'tool:web:Search': [1, 2, 1] });
});

it('shows the figures of model calls in /metrics while the other service is away', async () => {
  await world.learning('/ingest', post(RUN));
  await server.close();
  const { status, text } = await world.call('/metrics');
  expect(status).toBe(200);
  expect(text).toContain('tokens_total{provider="openai",model="gpt-4o"} 1200');
  expect(text).not.toContain('learning_arm_mean{');
});
