import { expect, it } from '@jest/globals';
import { openSqlite } from '../../src/backends/store/engine/sqlite.js';
import { armsOf, RUN } from './learning-runs.js';
import { post, worldsOfEachTest } from './world.js';

const open = worldsOfEachTest();

it.each([
  ['/traces?limit=abc'],
  ['/traces?limit=-1'],
  ['/traces?offset=-5'],
  ['/traces?offset=1.5'],
  ['/timeseries?metric=other'],
  ['/timeseries?window=7d'],
])('refuses %s', async (path) => {
  const world = await open();
  const answer = await world.learning(path);
  expect(answer).toMatchObject({ status: 400, body: { error: expect.any(String) } });
  expect(Object.keys(answer.body)).toEqual(['error']);
});

it('caps the page at 1000', async () => {
  const world = await open();
  const runs = Array.from({ length: 1001 }, (_, i) => ({ ...RUN, traceId: `t${i}`, runId: `r${i}`, arms: [] }));
  await world.learning('/ingest', post(runs));
  const { body } = await world.learning('/traces?limit=5000');
  expect([body.traces.length, body.total]).toEqual([1000, 1001]);
  expect((await world.learning('/traces')).body.traces).toHaveLength(100);
});

it.each([
  ['no arm', {}, 'arm_id (string) is required'],
  ['an arm that is a number', { arm_id: 5 }, 'arm_id (string) is required'],
  ['an empty arm', { arm_id: '' }, 'arm_id (string) is required'],
  ['a reward of 2', { arm_id: 'a', reward: 2 }, undefined],
  ['a reward that is text', { arm_id: 'a', reward: 'NaN' }, undefined],
  ['an unknown outcome', { arm_id: 'a', outcome: 'partial' }, undefined],
])('refuses a reward with %s', async (_what, body, text) => {
  const world = await open();
  const answer = await world.learning('/reward', post(body));
  expect(answer.status).toBe(400);
  expect(answer.body).toEqual({ error: text ?? expect.any(String) });
  expect(await armsOf(world)).toEqual({});
});

it('refuses a reward over 64 KiB', async () => {
  const world = await open();
  const answer = await world.learning('/reward', post({ arm_id: 'a', reason: 'x'.repeat(70_000) }));
  expect(answer).toMatchObject({ status: 413, body: { error: expect.any(String) } });
});

it.each([
  ['{'],
  ['[]'],
  ['{"arm_ids": "a"}'],
  ['{"arm_ids": [5]}'],
  ['7'],
  ['null'],
  ['{"arm_ids": null}'],
  ['{"armIds": ["b"]}'],
  ['{"arm_ids": ["a"], "context": {}}'],
])('resets nothing for the body %s', async (body) => {
  const world = await open();
  await world.learning('/reward', post({ arm_id: 'a' }));
  expect((await world.learning('/reset', post(body))).status).toBe(400);
  expect(await armsOf(world)).toEqual({ a: [2, 1, 1] });
});

it('answers unknown routes and wrong methods in the words of the specification', async () => {
  const world = await open();
  expect(await world.learning('/nowhere')).toMatchObject({
    status: 404,
    body: { error: 'Unknown learning API route' },
  });
  const wrong = await world.learning('/summary', { method: 'POST' });
  expect([wrong.status, wrong.text, wrong.headers.get('content-type')]).toEqual([
    405,
    'Method Not Allowed',
    'text/plain; charset=utf-8',
  ]);
  expect((await world.learning('/reward')).status).toBe(405);
});

it('says that the backend does not answer where a remote learner does not', async () => {
  const world = await open({ environment: { SVC_LEARNING_URL: 'http://127.0.0.1:9' } });
  for (const path of ['/summary', '/posteriors']) {
    expect(await world.learning(path)).toMatchObject({
      status: 503,
      body: { error: 'Learning backend (the service) not available' },
    });
  }
  expect((await world.learning('/reset', { method: 'POST' })).body.error).toMatch(/^Reset failed/);
  expect((await world.learning('/reward', post({ arm_id: 'a' }))).body.error).toMatch(/^Reward observation failed/);
  expect((await world.learning('/config')).status).toBe(200);
});

it('says what failed where the store is closed', async () => {
  const world = await open({ store: await openSqlite(':memory:') });
  await world.store.close();
  for (const path of [
    '/summary',
    '/posteriors',
    '/traces',
    '/timeseries?metric=tokens',
    '/timeseries?metric=convergence',
  ]) {
    expect([path, await world.learning(path)]).toEqual([
      path,
      expect.objectContaining({ status: 503, body: { error: 'Learning backend (the service) not available' } }),
    ]);
  }
  expect(await world.learning('/reset', { method: 'POST' })).toMatchObject({
    status: 503,
    body: { error: expect.stringMatching(/^Reset failed/) },
  });
  expect(await world.learning('/reward', post({ arm_id: 'a' }))).toMatchObject({
    status: 503,
    body: { error: expect.stringMatching(/^Reward observation failed/) },
  });
});

it('allows the configured origin, on errors too', async () => {
  const world = await open({ environment: { GATEWAY_CORS_ORIGIN: 'https://a.example' } });
  for (const path of ['/summary', '/posteriors', '/nowhere', '/traces?limit=abc']) {
    const { headers } = await world.learning(path);
    expect([path, headers.get('access-control-allow-origin')]).toEqual([path, 'https://a.example']);
  }
});
