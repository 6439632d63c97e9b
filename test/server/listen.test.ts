import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { isLoopback, listen, reachable } from '../../src/server/listen.js';
import { waitFor } from '../support/wait-for.js';
import { aborted, begun, json, PATIENT, type Serving, serving } from './harness.js';

let server: Serving | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

/** What comes back for bytes that are sent as they are. */
async function raw(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(text);
  let answer = '';
  socket.on('data', (chunk) => {
    answer += chunk.toString();
  });
  await once(socket, 'close');
  return answer;
}

/** Until the slow operation of that length runs. */
function hasBegun(ms: number): Promise<void> {
  return waitFor(() => expect(begun).toContain(ms), PATIENT);
}

describe('a server', () => {
  it('finishes what runs when it stops, and takes nothing new', async () => {
    server = await serving({}, { drainMs: 30_000 });
    const running = fetch(`${server.url}/v1/slow?ms=301`);
    await hasBegun(301);
    const closed = server.close();
    expect(await json(await running)).toEqual({ status: 'done' });
    await closed;
    await expect(fetch(`${server.url}/v1/health`)).rejects.toThrow();
  });

  it('closes kept connections after their last answer', async () => {
    server = await serving({}, { drainMs: 30_000 });
    const agent = new Agent({ keepAlive: true });
    const call = request(`${server.url}/v1/slow?ms=302`, { agent }).end();
    const answered = once(call, 'response');
    await hasBegun(302);
    const closed = server.close();
    const [response] = await answered;
    expect(response.headers.connection).toBe('close');
    response.resume();
    await closed;
    agent.destroy();
  });

  it('cuts off what takes longer than it may', async () => {
    server = await serving({}, { drainMs: 100 });
    const running = fetch(`${server.url}/v1/slow?ms=60000`).catch((error: unknown) => error);
    await hasBegun(60_000);
    await server.close();
    expect(await running).toBeInstanceOf(Error);
  });

  it('tells the operation when the caller hangs up', async () => {
    server = await serving();
    const controller = new AbortController();
    const running = fetch(`${server.url}/v1/slow?ms=54321`, { signal: controller.signal }).catch(() => undefined);
    await hasBegun(54_321);
    controller.abort();
    await running;
    await waitFor(() => expect(aborted).toContain(54_321), PATIENT);
  });

  it('answers JSON to what is no HTTP', async () => {
    server = await serving();
    const answer = await raw(server.port, 'NONSENSE\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request/);
    expect(JSON.parse(answer.split('\r\n\r\n')[1]!)).toMatchObject({ code: 'invalid_input' });
  });

  it('answers JSON to headers that are too large', async () => {
    server = await serving();
    const answer = await raw(server.port, `GET / HTTP/1.1\r\nHost: a\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 431 /);
  });

  it('says which port is taken', async () => {
    server = await serving();
    const again = listen(() => undefined, { host: '127.0.0.1', port: server.port, drainMs: 0 });
    await expect(again).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining(String(server.port)),
    });
  });

  it('says which address is not of this machine', async () => {
    const elsewhere = listen(() => undefined, { host: '203.0.113.7', port: 0, drainMs: 0 });
    await expect(elsewhere).rejects.toMatchObject({ code: 'invalid_input' });
  });
});

describe('addresses', () => {
  it.each([
    ['127.0.0.1', true],
    ['127.8.0.1', true],
    ['localhost', true],
    ['::1', true],
    ['0.0.0.0', false],
    ['::', false],
    ['192.168.0.1', false],
    ['127.evil.example', false],
    ['127.0.0.1.example', false],
  ])('%s reaches only this machine: %s', (host, expected) => {
    expect(isLoopback(host)).toBe(expected);
  });

  it('are made callable', () => {
    expect([reachable('0.0.0.0'), reachable('::'), reachable('::1'), reachable('10.0.0.1')]).toEqual([
      '127.0.0.1',
      '[::1]',
      '[::1]',
      '10.0.0.1',
    ]);
  });
});

it('begins pipelined requests as their sender takes the answers, not all at once', async () => {
  const count = 200;
  const text = 'x'.repeat(1024 * 1024);
  let started = 0;
  const listening = await listen(
    (_, response) => {
      started += 1;
      response.end(text);
    },
    { host: '127.0.0.1', port: 0, drainMs: 1000 },
  );
  const socket = connect(listening.port, '127.0.0.1');
  socket.pause();
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(count));
  await new Promise((resolve) => setTimeout(resolve, 500));
  // What the system keeps for a sender that does not read is a few megabytes.
  expect(started).toBeLessThan(count / 2);
  let taken = 0;
  await new Promise<void>((resolve) => {
    socket.on('data', (data) => {
      taken += data.length;
      if (taken > count * text.length) resolve();
    });
    socket.resume();
  });
  expect(started).toBe(count);
  socket.destroy();
  await listening.close();
});

it('forgets pipelined requests whose sender hangs up, and begins none that waits behind another', async () => {
  let started = 0;
  const listening = await listen(
    () => {
      started += 1;
    },
    { host: '127.0.0.1', port: 0, drainMs: 60_000 },
  );
  const socket = connect(listening.port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(50));
  await waitFor(() => expect(started).toBeGreaterThan(0));
  socket.destroy();
  await listening.close();
  expect(started).toBe(1);
});

it('reads no more requests of a connection where many wait, and answers all of them in the end', async () => {
  const count = 20_000;
  let release = (): void => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let answered = 0;
  const listening = await listen(
    async (_, response) => {
      await released;
      answered += 1;
      response.end();
    },
    { host: '127.0.0.1', port: 0, drainMs: 1000 },
  );
  const socket = connect(listening.port, '127.0.0.1');
  socket.resume();
  const padding = 'x'.repeat(1000);
  socket.write(`GET / HTTP/1.1\r\nHost: localhost\r\nX-Padding: ${padding}\r\n\r\n`.repeat(count));
  await new Promise((resolve) => setTimeout(resolve, 1000));
  // Of the 20 MB the systems of both sides hold some themselves.
  expect(socket.writableLength).toBeGreaterThan(0);
  release();
  await waitFor(() => expect(answered).toBe(count), { timeout: 60_000 });
  socket.destroy();
  await listening.close();
}, 90_000);
