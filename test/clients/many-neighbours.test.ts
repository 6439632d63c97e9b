import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { HttpClient } from '../../src/clients/http.js';
import { InProcessClient } from '../../src/index.js';
import { httpV1, httpV2 } from '../mcp/connections.js';
import { startWorld, type World } from '../mcp/world.js';

interface Explored {
  readonly neighbors: readonly unknown[];
  readonly truncated?: unknown;
}

let world: World;
beforeAll(async () => {
  world = await startWorld();
  const spokes = Array.from({ length: 200 }, (_, i) => ({ id: `s${i}`, name: `Spoke ${i}` }));
  const response = await fetch(`${world.a}/v1/ingest/structured`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      domain: 'wheel',
      concepts: [{ id: 'hub', name: 'Hub' }, ...spokes],
      edges: spokes.map(({ id }) => ({ source: 'hub', target: id, relation: 'uses' })),
    }),
  });
  expect(response.status).toBe(200);
});
afterAll(() => world?.close());

const post = async (path: string, input: object) => {
  const headers = { 'content-type': 'application/json' };
  return (await fetch(path, { method: 'POST', headers, body: JSON.stringify(input) })).json() as Promise<Explored>;
};
const called = async (node_id: string, connect: () => ReturnType<typeof httpV1>) => {
  const client = await connect();
  // The clients check the answer against the tool's output schema.
  await client.list();
  const { structuredContent } = await client.call('svc_explore', { node_id });
  await client.close();
  return structuredContent as unknown as Explored;
};

const SURFACES: ReadonlyArray<readonly [string, (id: string) => Promise<Explored | null>]> = [
  ['variant A', (node_id) => post(`${world.a}/v1/explore`, { node_id })],
  [
    'variant B',
    async (id) => (await fetch(`${world.b}/api/v1/explore/${encodeURIComponent(id)}`)).json() as Promise<Explored>,
  ],
  ['the tools, to a client of the session era', (id) => called(id, () => httpV1(`${world.a}/mcp`))],
  ['the tools, to a client of today', (id) => called(id, () => httpV2(`${world.a}/mcp`))],
  [
    'the HTTP client',
    async (id) => {
      const client = new HttpClient(world.b);
      const found = await client.explore(id);
      await client.close();
      return found;
    },
  ],
  ['the client in process', (id) => new InProcessClient(world.service).explore(id)],
];

describe.each(SURFACES)('a node with more neighbours than are shown, on %s', (_, explore) => {
  it('is said to have more', async () => {
    const hub = (await explore('wheel:hub'))!;
    expect([hub.neighbors.length, hub.truncated]).toEqual([199, true]);
    const spoke = (await explore('wheel:s1'))!;
    expect(spoke.neighbors).toHaveLength(1);
    expect(spoke).not.toHaveProperty('truncated');
  });
});
