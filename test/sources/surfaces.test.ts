import { relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { withLease } from '../../src/backends/store/leases.js';
import { svc, svcJson } from '../cli/captured.js';
import { httpV1, type ToolClient } from '../mcp/connections.js';
import { makeShop, startWorld, type World } from '../mcp/world.js';

// biome-ignore lint/suspicious/noExplicitAny: answers of every operation pass through here
type Answer = any;

/** The seven operations as one surface offers them. */
interface Surface {
  connect(id: string, at: string): Promise<Answer>;
  discover(id: string): Promise<Answer>;
  inspect(id: string, at: string): Promise<Answer>;
  ingestGraph(id: string, at: string): Promise<Answer>;
  sync(id: string, mode: 'full' | 'incremental'): Promise<Answer>;
  list(): Promise<Answer>;
  disconnect(id: string): Promise<Answer>;
}

let world: World;
let client: ToolClient;
const before = { ...process.env };
beforeAll(async () => {
  world = await startWorld();
  client = await httpV1(`${world.a}/mcp`);
  process.env.SVC_DATA_DIR = world.dataDirectory;
});
afterAll(async () => {
  process.env = before;
  await client?.close();
  await world?.close();
});

async function http(method: string, path: string, body?: object): Promise<{ status: number; body: Answer }> {
  const answer = await fetch(`${world.a}/v1/sources${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: await answer.json() };
}

async function ok(method: string, path: string, body?: object): Promise<Answer> {
  const answer = await http(method, path, body);
  expect([answer.status, answer.body.error]).toEqual([200, undefined]);
  return answer.body;
}

async function tool(name: string, input: Record<string, unknown>): Promise<Answer> {
  const answer = await client.call(`svc_source_${name}`, input);
  expect([answer.isError ?? false, answer.isError ? answer.content[0]?.text : '']).toEqual([false, '']);
  return answer.structuredContent;
}

const SURFACES: Readonly<Record<string, Surface>> = {
  http: {
    connect: (source_id, connection_string) => ok('POST', '/connect', { source_id, connection_string }),
    discover: (id) => ok('GET', `/${id}/tables`),
    inspect: (source_id, connection_string) => ok('POST', '/inspect', { source_id, connection_string }),
    ingestGraph: (source_id, connection_string) => ok('POST', '/ingest-graph', { source_id, connection_string }),
    sync: (id, mode) => ok('POST', `/${id}/sync`, { mode }),
    list: () => ok('GET', ''),
    disconnect: (id) => ok('DELETE', `/${id}`),
  },
  tools: {
    connect: (source_id, connection_string) => tool('connect', { source_id, connection_string }),
    discover: (source_id) => tool('discover', { source_id }),
    inspect: (source_id, connection_string) => tool('inspect_schema', { source_id, connection_string }),
    ingestGraph: (source_id, connection_string) => tool('ingest_graph', { source_id, connection_string }),
    sync: (source_id, mode) => tool('sync', { source_id, mode }),
    list: () => tool('list', {}),
    disconnect: (source_id) => tool('disconnect', { source_id }),
  },
  cli: {
    connect: (id, at) => svcJson('sources', 'connect', id, at),
    discover: (id) => svcJson('sources', 'discover', id),
    inspect: (id, at) => svcJson('sources', 'inspect', id, at),
    ingestGraph: (id, at) => svcJson('sources', 'ingest-graph', id, at),
    sync: (id, mode) => svcJson('sources', 'sync', id, ...(mode === 'incremental' ? ['--incremental'] : [])),
    list: () => svcJson('sources', 'list'),
    disconnect: (id) => svcJson('sources', 'disconnect', id),
  },
};

/** Everything that the seven operations answer, the source's own name and the time left out. */
async function round(surface: Surface, id: string): Promise<unknown> {
  const at = makeShop(world.directory);
  const answers = {
    inspect: await surface.inspect(id, at),
    connect: await surface.connect(id, at),
    discover: await surface.discover(id),
    ingestGraph: await surface.ingestGraph(id, at),
    sync: await surface.sync(id, 'full'),
    again: await surface.sync(id, 'incremental'),
    listed: (await surface.list()).sources.filter((source: Answer) => source.source_id === id),
    disconnect: await surface.disconnect(id),
    after: (await surface.list()).sources.filter((source: Answer) => source.source_id === id),
  };
  const text = JSON.stringify(answers)
    .replaceAll(`"${id}"`, '"<id>"')
    .replaceAll(/"duration_seconds":[^,}]+/g, '"duration_seconds":0');
  return JSON.parse(text);
}

describe('the seven source operations', () => {
  it('answer the same over HTTP, as tools and on the command line', async () => {
    const [overHttp, asTools, onCli] = [
      await round(SURFACES.http!, 'shop-http'),
      await round(SURFACES.tools!, 'shop-tools'),
      await round(SURFACES.cli!, 'shop-cli'),
    ];
    expect(asTools).toEqual(overHttp);
    expect(onCli).toEqual(overHttp);
    expect(overHttp).toMatchObject({
      inspect: { table_count: 2, edge_count: 1, rule_count: 1 },
      connect: { status: 'connected', source_id: '<id>', tables: 2, table_names: ['category', 'product'] },
      discover: {
        tables: [
          { name: 'category', fk_count: 0 },
          { name: 'product', row_count: 3, fk_count: 1 },
        ],
      },
      sync: { tables_synced: 2, rows_added: 5, errors: [] },
      again: { rows_added: 0, rows_forgotten: 0 },
      listed: [{ source_id: '<id>', tables: 2 }],
      disconnect: { status: 'disconnected', source_id: '<id>' },
      after: [],
    });
  });

  it('say on the command line what they did, for people', async () => {
    const at = makeShop(world.directory);
    for (const args of [
      ['inspect', 'people', at],
      ['connect', 'people', at],
      ['discover', 'people'],
      ['ingest-graph', 'people', at, '--no-catalogs', '--no-rules', '--cross-source'],
      ['sync', 'people', '--table', 'product'],
      ['list'],
      ['disconnect', 'people'],
    ]) {
      const { code, stdout, stderr } = await svc('sources', ...args);
      expect([args[0], code, stderr]).toEqual([args[0], 0, '']);
      expect(stdout.trim()).not.toBe('');
    }
    expect((await svc('sources', 'sync', 'people')).code).toBe(1);
  });

  it('take a relative path of the command line from where the command was given', async () => {
    const at = makeShop(world.directory, 'relative');
    const home = process.cwd();
    process.chdir(world.directory);
    try {
      await svcJson(
        'sources',
        'connect',
        'relative',
        `sqlite:${relative(world.directory, at.slice('sqlite:'.length))}`,
      );
    } finally {
      process.chdir(home);
    }
    expect((await svcJson('sources', 'discover', 'relative')).tables).toHaveLength(2);
    await svcJson('sources', 'disconnect', 'relative');
  });

  it('refuse a second sync of a source with 409 while one runs', async () => {
    const at = makeShop(world.directory, 'busy');
    await ok('POST', '/connect', { source_id: 'busy', connection_string: at });
    // What a sync of another replica holds while it runs.
    const lease = { name: 'source:busy', holder: 'another replica', ttl: 60_000, clock: Date.now };
    const second = await withLease(world.service.store, lease, () => http('POST', '/busy/sync', {}));
    expect(second).toMatchObject({ status: 409, body: { code: 'conflict', error: expect.stringContaining('busy') } });
    const { code, stderr } = (await withLease(world.service.store, lease, () => svc('sources', 'sync', 'busy')))!;
    expect([code, stderr]).toEqual([1, expect.stringContaining('being synced already')]);
    expect((await http('POST', '/busy/sync', {})).body).toMatchObject({ rows_added: 5, errors: [] });
  });

  it('tell unknown callers nothing and let them reach nothing', async () => {
    const secret = 'hunter2-very-secret';
    const cases: ReadonlyArray<readonly [string, number]> = [
      [`postgres://me:${secret}@192.0.2.7:5432/shop`, 403],
      [`mysql://me:${secret}@192.0.2.1/shop`, 403],
      ['sqlite:/etc/passwd', 403],
      [`postgres://me:${secret}@127.0.0.1:1/shop`, 503],
      [`postgres://me:${secret}@127.0.0.1/shop?options=-c%20statement_timeout%3D0`, 400],
      [`mysql://me:${secret}@127.0.0.1/shop?flags=LOCAL_FILES`, 400],
      [`sqlite:${world.directory}/shop.sqlite?mode=rwc`, 400],
      [`oracle://me:${secret}@127.0.0.1/shop`, 400],
      ['env:SVC_API_KEYS', 403],
    ];
    for (const [connection_string, status] of cases) {
      for (const path of ['/connect', '/inspect', '/ingest-graph']) {
        const answer = await http('POST', path, { source_id: 'unknown', connection_string });
        expect([connection_string, path, answer.status]).toEqual([connection_string, path, status]);
        expect(JSON.stringify(answer.body)).not.toContain(secret);
        if (connection_string.startsWith('sqlite:')) {
          expect(answer.body).toMatchObject({ details: { member: 'connection_string' } });
          expect(answer.body.error).not.toContain('source_path');
        }
      }
    }
    expect((await ok('GET', '')).sources.map((source: Answer) => source.source_id)).not.toContain('unknown');
  });
});
