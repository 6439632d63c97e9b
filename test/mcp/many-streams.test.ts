import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from '@jest/globals';
import { chosenTools } from '../../src/mcp/profile.js';
import { SseTools } from '../../src/mcp/sse.js';
import { waitFor } from '../support/wait-for.js';

const PATIENT = { timeout: 20_000 };

it('opens a bounded number of streams, and another one when one of them has ended', async () => {
  const tools = chosenTools(['default'], 'svc');
  const sse = new SseTools({ name: 'svc', version: '1', tools, dispatch: () => Promise.resolve({}) }, 2);
  const refusals: unknown[] = [];
  const server = createServer((_request, response) => {
    try {
      sse.requireRoom();
    } catch (error) {
      refusals.push(error);
      response.writeHead(503).end();
      return;
    }
    void sse.open(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/sse`;
  const leaving = new AbortController();
  const open = async (signal?: AbortSignal): Promise<number> =>
    (await fetch(url, signal === undefined ? {} : { signal })).status;
  try {
    expect([await open(leaving.signal), await open(), await open()]).toEqual([200, 200, 503]);
    expect(refusals).toMatchObject([{ code: 'unavailable', retriable: true, retryAfter: 10 }]);
    leaving.abort();
    await waitFor(async () => expect(await open()).toBe(200), PATIENT);
  } finally {
    await sse.close();
    server.closeAllConnections();
    server.close();
  }
});

it('counts no stream of a client that left before it was opened', async () => {
  const tools = chosenTools(['default'], 'svc');
  const sse = new SseTools({ name: 'svc', version: '1', tools, dispatch: () => Promise.resolve({}) }, 1);
  let isOpened = false;
  const server = createServer((_request, response) => {
    response.once('close', () => void sse.open(response).finally(() => (isOpened = true)));
    leaving.abort();
  });
  const leaving = new AbortController();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/sse`;
  try {
    await expect(fetch(url, { signal: leaving.signal })).rejects.toThrow();
    await waitFor(() => expect(isOpened).toBe(true), PATIENT);
    expect(() => sse.requireRoom()).not.toThrow();
  } finally {
    await sse.close();
    server.closeAllConnections();
    server.close();
  }
});
