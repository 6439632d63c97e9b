import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { callLocalRpc } from '../../src/cli/local-rpc-client.js';
import { startWorld, type World } from './world.js';

let world: World;
let rpc: { url: string; token: string };
let outside: string;
beforeAll(async () => {
  world = await startWorld({ SVC_API_KEYS: 'key', SVC_EMBEDDING: 'none' });
  rpc = JSON.parse(readFileSync(join(world.dataDirectory, 'svc.holder.json'), 'utf8')).rpc;
  outside = join(world.directory, '..', `outside-${process.pid}.txt`);
  writeFileSync(outside, 'The keeper counts the trees.');
});
afterAll(() => {
  rmSync(outside, { force: true });
  return world?.close();
});

describe('the token of the data directory', () => {
  it('opens no route of the service, whichever way it is sent', async () => {
    for (const headers of [{ Authorization: `Bearer ${rpc.token}` }, { 'X-Api-Key': rpc.token }]) {
      for (const path of ['/v1/status', '/v1/domains', '/internal/call']) {
        expect([path, (await fetch(`${world.a}${path}`, { headers })).status]).toEqual([path, 401]);
      }
      expect((await fetch(`${world.b}/api/v1/status`, { headers })).status).toBe(401);
    }
    const key = { Authorization: 'Bearer key' };
    expect((await fetch(`${world.a}/internal/call`, { method: 'POST', headers: key, body: '{}' })).status).toBe(404);
  });

  it('does not let a tool call read what a remote caller may not: files outside the roots', async () => {
    const ingest = (surface: 'tool' | 'cli') =>
      callLocalRpc(rpc, { operation: 'ingest', input: { source_path: outside, domain: 'd' }, surface }, {});
    await expect(ingest('tool')).rejects.toMatchObject({ code: 'forbidden' });
    expect(await ingest('cli')).toMatchObject({ passages: 1 });
  });

  it('does not let anybody read the directory that it is of', async () => {
    const source_path = join(world.dataDirectory, 'svc.holder.json');
    for (const surface of ['tool', 'cli', 'client'] as const) {
      const input = { source_path, domain: 'd', source_type: 'text' };
      await expect(callLocalRpc(rpc, { operation: 'ingest', input, surface }, {})).rejects.toMatchObject({
        code: 'forbidden',
      });
    }
  });
});
