import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { Listening } from '../../src/server/listen.js';
import { type LearningFixture, learningFixture, learningServer } from '../learning/fixture.js';
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
