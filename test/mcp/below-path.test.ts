import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { SSEClientTransport as SseV2 } from '@modelcontextprotocol/client';
import { SSEClientTransport as SseV1 } from '@modelcontextprotocol/sdk/client/sse.js';
import { BELOW, proxyBelow } from '../support/below.js';
import { httpV1, v1, v2 } from './connections.js';
import { startWorld, type World } from './world.js';

let world: World;
let proxy: Awaited<ReturnType<typeof proxyBelow>>;
beforeAll(async () => {
  world = await startWorld();
  proxy = await proxyBelow(world.a);
});
afterAll(async () => {
  await proxy?.close();
  await world?.close();
});

it.each([
  ['v1 client, /sse', (url: string) => v1(new SseV1(new URL(`${url}/sse`)))],
  ['v2 client, /sse', (url: string) => v2(new SseV2(new URL(`${url}/sse`)))],
  ['v1 client, /mcp', (url: string) => httpV1(`${url}/mcp`)],
])('%s: tools answer below a path that a proxy cuts off', async (_, connect) => {
  const client = await connect(`${proxy.url}${BELOW}`);
  const answer = await client.call('svc_vector_list_indexes', {});
  expect(answer.structuredContent).toEqual({ indexes: expect.any(Array) });
  expect(proxy.missed).toEqual([]);
  await client.close();
});
