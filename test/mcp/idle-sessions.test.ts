import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from '@jest/globals';
import { StreamableTools } from '../../src/mcp/http.js';
import { chosenTools } from '../../src/mcp/profile.js';
import { httpV1 } from './connections.js';

it('a session is not idle while one of its calls is under way', async () => {
  let finish = (): void => {};
  let began = (): void => {};
  const beginning = new Promise<void>((resolve) => {
    began = resolve;
  });
  const tools = new StreamableTools({
    name: 'svc',
    version: '1',
    tools: chosenTools(['default'], 'svc'),
    dispatch: () =>
      new Promise((resolve) => {
        finish = () => resolve({ domains: [] });
        began();
      }),
  });
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    await tools.handle(request, response, text === '' ? undefined : JSON.parse(text));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = await httpV1(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`);
  try {
    const later = Date.now() + 31 * 60_000;
    const call = client.call('svc_domains', {});
    await beginning;
    tools.dropIdle(later);
    finish();
    expect((await call).structuredContent).toEqual({ domains: [] });
    tools.dropIdle(later);
    await expect(client.call('svc_domains', {})).rejects.toThrow();
  } finally {
    await tools.close();
    server.closeAllConnections();
    server.close();
  }
});
