import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from '@jest/globals';
import { type LearningFixture, learningFixture, learningServer } from '../learning/fixture.js';
import { type GatewayWorld, gatewayWorld, post } from './world.js';

const ends: Array<() => Promise<unknown>> = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function gatewayAt(url: string): Promise<GatewayWorld> {
  const world = await gatewayWorld({ environment: { SVC_LEARNING_URL: url, SVC_LEARNING_KEY: 'geheim' } });
  ends.push(() => world.close());
  return world;
}

/** A gateway whose learner's address answers everything with this status. */
async function gatewayAnswered(status: number): Promise<GatewayWorld> {
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => response.writeHead(status, { 'Content-Type': 'application/json' }).end('{"error": "no"}'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ends.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return gatewayAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

it.each([
  [401, 'SVC_LEARNING_KEY'],
  [403, 'SVC_LEARNING_KEY'],
  [404, 'SVC_LEARNING_URL to where its variant A listens'],
])('says in the log, once, what to set when the other service answers %i', async (status, setting) => {
  const world = await gatewayAnswered(status);
  for (const path of ['/posteriors', '/posteriors', '/summary']) {
    const answer = await world.learning(path);
    expect(answer.body).toEqual({ error: 'Learning backend (the service) not available' });
  }
  expect(world.warnings.filter((line) => line.includes(setting))).toHaveLength(1);
  expect(world.warnings.join()).not.toContain('geheim');
  const reward = await world.learning('/reward', post({ arm_id: 'tool:x:A' }));
  expect(reward.body).toMatchObject({ error: expect.stringContaining(setting) });
});

it('takes the address of the API for that of the service', async () => {
  const there: LearningFixture = await learningFixture();
  ends.push(() => there.close());
  const server = await learningServer(there.learning);
  ends.push(() => server.close());
  const world = await gatewayAt(`${server.url}/v1/`);
  const answer = await world.learning('/reward', post({ arm_id: 'tool:x:A' }));
  expect(answer.body).toEqual({ ok: true, arm_id: 'tool:x:A' });
});
