import { Agent, request } from 'node:http';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Serving, serving } from './harness.js';

let server: Serving;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
beforeAll(async () => {
  server = await serving();
});
afterAll(async () => {
  agent.destroy();
  await server.close();
});

/** Sends a body over the one connection of the agent; resolves to the status. */
function send(path: string, body: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) };
    const sending = request(`${server.url}${path}`, { method: 'POST', agent, headers }, (answer) => {
      answer.resume();
      answer.once('end', () => resolve(answer.statusCode ?? 0));
    });
    sending.once('error', reject);
    sending.end(body);
  });
}

it('serves the next request of a connection after a large body that was refused while it arrived', async () => {
  // More members than are read: the refusal leaves before most of the body has arrived.
  const body = `{${Array.from({ length: 500_000 }, (_, i) => `"k${i}":${i}`).join(',')}}`;
  for (let i = 0; i < 4; i += 1) expect(await send('/v1/echo', body)).toBe(413);
  expect(await send('/v1/echo', '{"text":"a"}')).toBe(200);
});
