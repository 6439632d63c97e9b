import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Pool } from 'undici';
import { openSqlite } from '../../src/backends/store/engine/sqlite.js';
import type { Store } from '../../src/backends/store/scope.js';
import { Learning } from '../../src/learning/learning.js';
import type { Listening } from '../../src/server/listen.js';
import { json, post } from '../server/harness.js';
import { learningServer } from './fixture.js';

let directory: string;
let store: Store;
let learning: Learning;
let server: Listening;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'learning-http-'));
  store = await openSqlite(join(directory, 'svc.sqlite'));
  learning = new Learning(store, { clock: Date.now, seed: 1, openStore: openSqlite });
  server = await learningServer(learning);
});
afterAll(async () => {
  await server.close();
  await learning.close();
  await store.close();
  await rm(directory, { recursive: true });
});

const observe = (body: Record<string, unknown>) => post(`${server.url}/v1/learning/observe`, body);

describe('learning over HTTP', () => {
  it('loses none of 1,000 parallel observations on one arm', async () => {
    const pool = new Pool(server.url, { connections: 100 });
    const statuses = await Promise.all(
      Array.from({ length: 1000 }, async (_, i) => {
        const { statusCode, body } = await pool.request({
          method: 'POST',
          path: '/v1/learning/observe',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ learner: 'p', arm_id: 'a', outcome: i % 4 === 0 ? 'accepted' : 'rejected' }),
        });
        await body.dump();
        return statusCode;
      }),
    );
    await pool.close();
    expect(new Set(statuses)).toEqual(new Set([200]));
    const { posteriors } = await json(await fetch(`${server.url}/v1/learning/p/posteriors`));
    expect(posteriors).toMatchObject({ a: { pulls: 1000, alpha: 251, beta: 751 } });
  });

  it('takes contexts and arms in the query string', async () => {
    await observe({ learner: 'c', arm_id: 'tool:x/y', reward: 1, context: { user: 'ä' } });
    const context = encodeURIComponent(JSON.stringify({ user: 'ä' }));
    const answer = await fetch(`${server.url}/v1/learning/c/posteriors?context=${context}&arm_ids=tool:x/y`);
    expect(await json(answer)).toMatchObject({ learner: 'c', posteriors: { 'tool:x/y': { pulls: 1, alpha: 2 } } });
    const metrics = await fetch(`${server.url}/v1/learning/c/metrics?window=5`);
    expect(await json(metrics)).toMatchObject({ total_pulls: 1, window: 5 });
  });

  it('takes a learner whose name must be encoded in a path', async () => {
    const learner = 'team/a b%';
    expect((await observe({ learner, arm_id: 'a', reward: 1 })).status).toBe(200);
    const answer = await fetch(`${server.url}/v1/learning/team%2Fa%20b%25/posteriors`);
    expect(answer.status).toBe(200);
    expect(await json(answer)).toMatchObject({ learner, posteriors: { a: { pulls: 1 } } });
  });

  it.each([
    ['a reward of 5', '/v1/learning/observe', { learner: 'bad', arm_id: 'a', reward: 5 }],
    ['neither outcome nor reward', '/v1/learning/observe', { learner: 'bad', arm_id: 'a' }],
    ['a learner name that climbs', '/v1/learning/observe', { learner: '../bad', arm_id: 'a', reward: 1 }],
    ['NaN, which is no JSON', '/v1/learning/observe', '{"learner":"bad","arm_id":"a","reward":NaN}'],
    ['no candidates', '/v1/learning/select', { learner: 'bad', candidates: [] }],
    ['candidates of one id', '/v1/learning/select', { learner: 'bad', candidates: [{ id: 'a' }, { id: 'a' }] }],
    ['a negative cost', '/v1/learning/select', { learner: 'bad', candidates: [{ id: 'a', token_cost: -1 }] }],
  ])('refuses %s with 400 and changes nothing', async (_, path, body) => {
    const answer = await post(`${server.url}${path}`, body);
    expect(answer.status).toBe(400);
    expect(await json(answer)).toMatchObject({ code: 'invalid_input', error: expect.any(String) });
    expect((await learning.summary()).learner_breakdown).not.toHaveProperty('bad');
  });

  it('answers 404 for an unknown session and 400 for a learner in the path that climbs', async () => {
    expect((await post(`${server.url}/v1/learning/sessions/end`, { session_id: 'nope' })).status).toBe(404);
    expect((await fetch(`${server.url}/v1/learning/..%2Fx/posteriors`)).status).toBe(400);
  });

  it('answers 409 for an arm beyond max_arms', async () => {
    await learning.configure({ name: 'tiny', max_arms: 1 });
    expect((await observe({ learner: 'tiny', arm_id: 'a', reward: 1 })).status).toBe(200);
    expect((await observe({ learner: 'tiny', arm_id: 'b', reward: 1 })).status).toBe(409);
  });
});
