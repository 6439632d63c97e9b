import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { loadConfig } from '../../src/config.js';
import { runFor, type Scope } from '../../src/core/async/caller-scope.js';
import { sha256 } from '../../src/core/hmac.js';
import { tools } from '../../src/mcp/tools.js';
import { ACCESS } from '../../src/operations/access/table.js';
import { operations } from '../../src/operations/index.js';
import { invoke } from '../../src/operations/invoke.js';
import { type KeyEntry, writeKeys } from '../../src/server/keys/key-file.js';
import { limitsOf } from '../../src/server/limits/limits.js';
import { bodyOf, parametersOf, type RouteRow } from '../../src/server/routes/row.js';
import { pagesBesideA } from '../../src/server/start.js';
import { toolPagesOf } from '../../src/server/tool-pages.js';
import { VARIANTS } from '../../src/server/variants.js';
import type { Service } from '../../src/service.js';
import { openService, snapshot, type TestService } from '../service/harness.js';
import { foreignAttempts, type Logged } from './foreign-attempts.js';

type Name = keyof typeof operations;

const KEYS = {
  full: {},
  expired: { expires: Date.parse('2020-01-01T00:00:00Z'), access: 'write' },
  reader: {},
  writer: { access: 'write' },
  bound: { domains: ['own*'], access: 'write' },
  learner: { domains: ['own*'], access: 'write', areas: ['learning', 'vectors', 'jobs'] },
} satisfies Record<string, Partial<KeyEntry>>;
type KeyName = keyof typeof KEYS;
const keyOf = (name: KeyName) => `key-${name}`;

let directory: string;
let test: TestService;

const call = (key: KeyName, path: string, init: RequestInit = {}) =>
  test.send(path, { ...init, headers: { authorization: `Bearer ${keyOf(key)}`, ...init.headers } });
const post = (key: KeyName, path: string, body: object) =>
  call(key, path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
const TEXT = { own: 'The Amber Lamp requires a Copper Wick.', others: 'The Zorkmid Vault requires a Zorkmid Key.' };

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'keys-'));
  const file = join(directory, 'keys.yaml');
  const blank = { domains: null, access: 'read', areas: [], expires: null } as const;
  const { full: _, ...listed } = KEYS;
  writeKeys(
    file,
    Object.entries(listed).map(([name, entry]) => ({
      name,
      sha256: Buffer.from(sha256(`key-${name}`)).toString('hex'),
      ...blank,
      ...(entry as Partial<KeyEntry>),
    })),
  );
  test = await openService({ SVC_API_KEYS: keyOf('full'), SVC_KEYS_FILE: file, SVC_AUTH_FAILURES: '100000' });
  for (const domain of ['own', 'others'] as const) {
    const text = { domain, name: `${domain} book`, text: `${TEXT[domain]} Never open it at night.` };
    expect((await post('full', '/v1/ingest/text', text)).status).toBe(200);
    const shape = {
      domain,
      concepts: [{ name: domain === 'own' ? 'Amber Lamp' : 'Zorkmid Vault' }, { name: 'Copper' }],
      edges: [{ source: domain === 'own' ? 'Amber Lamp' : 'Zorkmid Vault', target: 'Copper', relation: 'USES' }],
    };
    await post('full', '/v1/ingest/structured', shape);
  }
  await post('full', '/v1/learning/observe', { learner: 'zorkmid-learner', arm_id: 'a', outcome: 'accepted' });
}, 60_000);
afterAll(async () => {
  await test.close();
  rmSync(directory, { recursive: true, force: true });
});

const rows = VARIANTS.a.rows.map((row) => [`${row.method} ${row.path}`, row] as const);

function requestOf(row: RouteRow): [path: string, init: RequestInit] {
  const path = parametersOf(row.path).reduce((target, name) => target.replace(`{${name}}`, 'a%3Ab'), row.path);
  const kind = bodyOf(row);
  if (kind === 'none') return [path, { method: row.method }];
  if (kind !== 'multipart') {
    return [path, { method: row.method, headers: { 'content-type': 'application/json' }, body: '{}' }];
  }
  const form = new FormData();
  form.set('domain', 'own');
  form.set('file', new Blob(['text']), 'a.txt');
  return [path, { method: row.method, body: form }];
}

describe.each(rows)('%s', (_name, row) => {
  const { name } = row.operation as { name: Name };
  const { level, area } = ACCESS[name];
  const open = row.auth === 'open';
  const isRefused = async (key: KeyName) => {
    const { status } = await call(key, ...requestOf(row));
    return status === 401 ? 'unauthorized' : status === 403 ? 'forbidden' : 'admitted';
  };

  it('knows no expired key', async () => {
    expect(await isRefused('expired')).toBe(open ? 'admitted' : 'unauthorized');
  });

  it('admits a key that reads only where it reads', async () => {
    expect(await isRefused('reader')).toBe(level === 'write' ? 'forbidden' : 'admitted');
  });

  it('needs a grant of a key that is bound to domains where nothing has a domain', async () => {
    const { status } = await call('bound', ...requestOf(row));
    if (area !== undefined) expect(status).toBe(403);
    else expect(status).not.toBe(401);
  });
});

/** Pages that are no rows: what they call is held to the scope all the same. */
const PAGES = [
  ['GET', '/metrics', 'gateway_metrics'],
  ['POST', '/v1/traces', 'telemetry_otlp'],
  ['POST', '/otlp/v1/traces', 'telemetry_otlp'],
  ['POST', '/v1/logs', 'telemetry_otlp'],
  ['POST', '/otlp/v1/logs', 'telemetry_otlp'],
  ['POST', '/__gateway__/api/learning/ingest', 'gateway_learning_ingest'],
  ['POST', '/__gateway__/api/green/ingest', 'green_ingest'],
] as const;

const TOOL_PAGES = [
  ['POST', '/mcp'],
  ['GET', '/mcp'],
  ['DELETE', '/mcp'],
  ['GET', '/sse'],
  ['POST', '/messages'],
] as const;

it('has a line here for every page that is not open', () => {
  const config = loadConfig({ environment: {} });
  const service = {} as Service;
  const tools = toolPagesOf(config, service, limitsOf(config, Date.now).slots);
  const pages = pagesBesideA(config, service, tools.pages).filter(({ auth }) => auth !== 'open');
  const lines = [...PAGES, ...TOOL_PAGES].map(([method, path]) => `${method} ${path}`);
  expect(pages.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(lines.sort());
  return tools.close();
});

describe.each(PAGES)('%s %s', (method, path, name) => {
  const statusOf = async (authorization: string) => {
    const body = method === 'POST' ? { body: '{}' } : {};
    const headers = { authorization, 'content-type': 'application/json' };
    const response = await fetch(`${test.url}${path}`, { method, headers, ...body });
    await response.text();
    return response.status;
  };

  it('is held to the scope of the key', async () => {
    for (const credentials of ['', 'Bearer wrong', `Bearer ${keyOf('expired')}`]) {
      expect(await statusOf(credentials)).toBe(401);
    }
    expect(await statusOf(`Bearer ${keyOf('bound')}`)).toBe(403);
    expect((await statusOf(`Bearer ${keyOf('reader')}`)) === 403).toBe(ACCESS[name].level === 'write');
    expect([401, 403]).not.toContain(await statusOf(`Bearer ${keyOf('full')}`));
  });
});

describe.each(TOOL_PAGES)('%s %s', (method, path) => {
  it.each(['', 'Bearer wrong', `Bearer ${keyOf('expired')}`])('refuses %j', async (authorization) => {
    const headers = { authorization, 'content-type': 'application/json' };
    const response = await fetch(`${test.url}${path}`, {
      method,
      headers,
      ...(method === 'POST' ? { body: '{}' } : {}),
    });
    expect(response.status).toBe(401);
  });
});

it("a session of tools is nobody else's", async () => {
  const send = (key: KeyName, message: object, session?: string) =>
    fetch(`${test.url}/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: `Bearer ${keyOf(key)}`,
        ...(session === undefined ? {} : { 'mcp-session-id': session }),
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }),
    });
  const client = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
  const opened = await send('full', { method: 'initialize', params: client });
  const session = opened.headers.get('mcp-session-id')!;
  await opened.text();
  const list = { method: 'tools/list', params: {} };
  expect((await send('full', list, session)).status).toBe(200);
  expect((await send('bound', list, session)).status).toBe(404);
});

describe('tools', () => {
  const rpc = async (key: KeyName, name: string) => {
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const params = { name: `svc_${name}`, arguments: {} };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    const response = await fetch(`${test.url}/mcp`, {
      method: 'POST',
      headers: { ...headers, authorization: `Bearer ${keyOf(key)}` },
      body,
    });
    return { status: response.status, text: await response.text() };
  };

  it.each(tools.map((tool) => [tool.name, tool] as const))('%s is held to the scope of the key', async (name, tool) => {
    const { level, area } = ACCESS[tool.operation.name as Name];
    expect((await rpc('expired', name)).status).toBe(401);
    const isForbidden = async (key: KeyName) => /\\"code\\":\\"forbidden\\"/.test((await rpc(key, name)).text);
    expect(await isForbidden('full')).toBe(false);
    expect(await isForbidden('reader')).toBe(level === 'write');
    if (area !== undefined) expect(await isForbidden('bound')).toBe(true);
  });
});

describe('a key that is bound to domains', () => {
  const scope: Scope = { name: 'bound', domains: ['own*'], access: 'write', areas: [] };
  const context = { surface: 'internal', authenticated: true } as const;
  let logged: Logged;
  beforeAll(async () => {
    logged = (await post('full', '/v1/query', { context: 'Zorkmid Vault', domains: ['others'] })).body;
  });
  const act = async (name: Name, input: object) =>
    runFor({ id: 'key bound', scope }, () => invoke(test.service, operations[name], input, context)).catch(
      (error: unknown) => ({ error: (error as Error).message, code: (error as { code?: string }).code }),
    );

  it('has a line here for every operation that is no area of its own', async () => {
    const named = Object.keys(operations) as Name[];
    const limited = named.filter((name) => ACCESS[name].area === undefined && ACCESS[name].neutral !== true);
    expect(Object.keys(await foreignAttempts(test, logged)).sort()).toEqual([...limited].sort());
    for (const name of limited) expect([name, ACCESS[name].narrow ?? ACCESS[name].show]).not.toEqual([name, undefined]);
  });

  it('sees and changes nothing of another domain by any operation', async () => {
    const before = await snapshot(test, 'others');
    for (const [name, input] of Object.entries(await foreignAttempts(test, logged))) {
      const answer = JSON.stringify(await act(name as Name, input));
      expect([name, /zorkmid|others book/i.exec(answer)?.[0]]).toEqual([name, undefined]);
      const listed = JSON.parse(answer) as { code?: string };
      if (listed.code === undefined) expect([name, answer.includes('"others"')]).toEqual([name, false]);
    }
    for (const domains of [['others'], ['own', 'others']]) {
      expect(await act('query', { context: 'x', domains })).toMatchObject({ code: 'forbidden' });
      expect(await act('rules', { domains })).toMatchObject({ code: 'forbidden' });
      expect(await act('project', { persona: 'p', domains })).toMatchObject({ code: 'forbidden' });
    }
    expect(await act('documents', { domain: 'others' })).toMatchObject({ code: 'forbidden' });
    expect(await snapshot(test, 'others')).toEqual(before);
  });

  it('is told the same of a domain that exists and one that does not', async () => {
    const [one, none] = [
      await act('forget_domain', { name: 'others' }),
      await act('forget_domain', { name: 'absent' }),
    ];
    expect(JSON.stringify(none).replaceAll('absent', 'others')).toBe(JSON.stringify(one));
  });

  it('works in its own domains, new ones too', async () => {
    expect((await post('bound', '/v1/ingest/text', { domain: 'own-2', name: 'n', text: TEXT.own })).status).toBe(200);
    const { items, query_id } = (await post('bound', '/v1/query', { context: 'Amber Lamp' })).body;
    expect(items.map(({ domain }: { domain: string }) => domain)).toContain('own');
    const outcomes = { [items[0].id]: 'accepted' };
    expect((await post('learner', '/v1/feedback', { query_id, outcomes })).status).toBe(404);
    expect((await post('bound', '/v1/feedback', { query_id, outcomes })).status).toBe(200);
    const domains = (await call('bound', '/v1/domains')).body.domains as Array<{ name: string }>;
    expect(domains.map(({ name }) => name).sort()).toEqual(['own', 'own-2']);
    expect((await call('bound', '/v1/status')).body.domain_count).toBe(2);
    const { knowledge, learning } = (await call('bound', '/v1/stats')).body;
    expect([Object.keys(knowledge.domain_breakdown).sort(), learning.learner_breakdown]).toEqual([
      ['own', 'own-2'],
      {},
    ]);
  });

  it('reaches an area that its entry grants', async () => {
    expect((await call('learner', '/v1/learning/zorkmid-learner/posteriors')).status).toBe(200);
    expect((await call('bound', '/v1/learning/zorkmid-learner/posteriors')).status).toBe(403);
    expect((await call('bound', '/metrics')).status).toBe(403);
    expect((await call('learner', '/v1/jobs')).status).toBe(200);
  });

  it('sees its own jobs, not those of others', async () => {
    const files = test.file('own.txt', TEXT.own);
    const jobIn = async (domain: string) =>
      (await post('full', '/v1/jobs/ingest', { domain, paths: [files] })).body.job_id as string;
    const [own, others] = [await jobIn('own'), await jobIn('others')];
    expect((await call('bound', '/v1/jobs')).body.jobs).toEqual([]);
    expect((await call('bound', `/v1/jobs/${own}`)).status).toBe(403);
    expect((await call('learner', `/v1/jobs/${own}`)).status).toBe(200);
    expect((await call('learner', `/v1/jobs/${others}`)).status).toBe(403);
    expect((await post('bound', '/v1/jobs/ingest', { domain: 'own', paths: [files] })).status).toBe(403);
  });
});
