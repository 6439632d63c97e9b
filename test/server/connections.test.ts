import { Agent, request } from 'node:http';
import { connect } from 'node:net';
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

it('answers pipelined requests in order, and health on another connection before the last of them', async () => {
  const count = 1500;
  const order: number[] = [];
  await fetch(`${server.url}/v1/health`);
  let healthAt: Promise<number> | undefined;
  const { host, hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  await new Promise<void>((resolve, reject) => {
    let rest = '';
    socket.setEncoding('latin1');
    socket.once('error', reject);
    socket.on('data', (data: string) => {
      rest += data;
      for (;;) {
        const found = /"text":"n(\d+)"/.exec(rest);
        if (found === null) break;
        order.push(Number(found[1]));
        rest = rest.slice(found.index + found[0].length);
      }
      healthAt ??= fetch(`${server.url}/v1/health`).then(() => order.length);
      if (order.length === count) resolve();
    });
    const numbers = Array.from({ length: count }, (_, i) => i);
    socket.write(numbers.map((i) => `GET /v1/echo?text=n${i} HTTP/1.1\r\nHost: ${host}\r\n\r\n`).join(''));
  });
  socket.destroy();
  expect(order).toEqual(Array.from({ length: count }, (_, i) => i));
  expect(await healthAt).toBeLessThan(count);
});
