import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sha256, signRequest } from '../../src/core/hmac.js';
import { tools } from '../../src/mcp/tools.js';
import { ACCESS } from '../../src/operations/access/table.js';
import { type KeyEntry, writeKeys } from '../../src/server/keys/key-file.js';
import { bodyOf, parametersOf, type RouteRow } from '../../src/server/routes/row.js';
import { VARIANTS } from '../../src/server/variants.js';
import { startWorld, type World } from '../mcp/world.js';

/** Every route of variant B with keys that have a scope, and every tool with every kind of credentials. */

const SECRET = 'a good secret';
const LISTED: Readonly<Record<string, Partial<KeyEntry>>> = {
  expired: { expires: Date.parse('2020-01-01T00:00:00Z'), access: 'write' },
  reader: {},
  bound: { domains: ['own*'], access: 'write' },
};
const bearer = (name: string) => ({ Authorization: `Bearer key-${name}` });

let directory: string;
let world: World;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'access-'));
  const file = join(directory, 'keys.yaml');
  const blank = { domains: null, access: 'read', areas: [], expires: null } as const;
  writeKeys(
    file,
    Object.entries(LISTED).map(([name, entry]) => ({
      name,
      sha256: Buffer.from(sha256(`key-${name}`)).toString('hex'),
      ...blank,
      ...entry,
    })),
  );
  world = await startWorld({
    SVC_API_KEYS: 'key-full',
    SVC_KEYS_FILE: file,
    SVC_HMAC_SECRET: SECRET,
    SVC_AUTH_FAILURES: '1000000',
  });
  for (const domain of ['own', 'others']) {
    const body = JSON.stringify({ domain, concepts: [{ name: `Lamp of ${domain}` }] });
    const headers = { ...bearer('full'), 'Content-Type': 'application/json' };
    expect((await fetch(`${world.a}/v1/ingest/structured`, { method: 'POST', headers, body })).status).toBe(200);
  }
}, 60_000);
afterAll(async () => {
  await world?.close();
  rmSync(directory, { recursive: true, force: true });
});

/** A request of a row with the smallest body that gets past the parser. */
async function send(row: RouteRow, headers: Record<string, string>): Promise<number> {
  const path = parametersOf(row.path).reduce((target, name) => target.replace(`{${name}}`, 'own%3Ab'), row.path);
  const kind = bodyOf(row);
  const form = new FormData();
  form.set('domain', 'own');
  form.set('file', new Blob(['text']), 'a.txt');
  const json = { headers: { ...headers, 'Content-Type': 'application/json' }, body: '{}' };
  const more = kind === 'none' ? { headers } : kind === 'multipart' ? { headers, body: form } : json;
  const answer = await fetch(`${world.b}${path}`, { method: row.method, ...more });
  await answer.text();
  return answer.status;
}

describe('variant B', () => {
  it.each(VARIANTS.b.rows.map((row) => [`${row.method} ${row.path}`, row] as const))(
    '%s is held to the key',
    async (_name, row) => {
      const { level, area } = ACCESS[row.operation.name as keyof typeof ACCESS];
      const open = row.auth === 'open';
      for (const refused of [{}, { Authorization: 'Bearer wrong' }, bearer('expired')])
        expect((await send(row, refused)) === 401).toBe(!open);
      expect((await send(row, bearer('reader'))) === 403).toBe(level === 'write');
      if (area !== undefined) expect(await send(row, bearer('bound'))).toBe(403);
      else expect(await send(row, bearer('bound'))).not.toBe(401);
      expect([401, 403]).not.toContain(await send(row, bearer('full')));
    },
  );

  it('shows a key that is bound to domains no other one, and lets it write to none', async () => {
    const headers = { ...bearer('bound'), 'Content-Type': 'application/json' };
    const post = async (path: string, body: object) =>
      (await fetch(`${world.b}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).status;
    const domains = (await (await fetch(`${world.b}/api/v1/domains`, { headers })).json()) as Array<{ name: string }>;
    expect(domains.map(({ name }) => name)).toEqual(['own']);
    expect(await post('/api/v1/query', { context: 'lamp', domains: ['others'] })).toBe(403);
    expect(await post('/api/v1/ingest/structured', { domain: 'others', concepts: [{ name: 'x' }] })).toBe(403);
    expect(await post('/api/v1/query', { context: 'lamp', domains: ['own'] })).toBe(200);
  });

  it('names no domain of others to a key where one that is asked for does not exist', async () => {
    const ask = async (name: string) => {
      const headers = { ...bearer(name), 'Content-Type': 'application/json' };
      const body = JSON.stringify({ context: 'lamp', domains: ['owners'] });
      return (await fetch(`${world.b}/api/v1/query`, { method: 'POST', headers, body })).text();
    };
    expect(await ask('full')).toContain('did you mean \\"others\\"?');
    expect(await ask('bound')).not.toContain('others');
  });
});

describe('tools', () => {
  const TARGET = '/mcp?from=test';
  const now = () => Math.floor(Date.now() / 1000);
  let nonces = 0;

  const bodyFor = (tool: string, input: object = {}) =>
    JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: `svc_${tool}`, arguments: input },
    });
  const call = async (headers: Record<string, string>, body: string, target = TARGET) => {
    const answer = await fetch(`${world.a}${target}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', ...headers },
      body,
    });
    return { status: answer.status, text: await answer.text() };
  };
  /** Signs a call, or something else than is sent. */
  const signed = (
    body: string,
    {
      method = 'POST',
      target = TARGET,
      secret = SECRET,
      timestamp = now(),
      nonce = `tool-${nonces++}`,
    }: { method?: string; target?: string; secret?: string; timestamp?: number; nonce?: string } = {},
  ) => ({
    'X-Svc-Timestamp': String(timestamp),
    'X-Svc-Nonce': nonce,
    'X-Svc-Signature': signRequest(secret, { timestamp: String(timestamp), method, target, nonce }, body),
  });

  it.each(tools.map(({ name }) => [name]))('%s is called by who proves who it is, and by nobody else', async (name) => {
    const body = bodyFor(name);
    const refusals: ReadonlyArray<readonly [string, Record<string, string>]> = [
      ['no key', {}],
      ['a wrong key', { Authorization: 'Bearer wrong' }],
      ['an expired key', bearer('expired')],
      ['a wrong secret', signed(body, { secret: 'wrong' })],
      ['a changed method', signed(body, { method: 'DELETE' })],
      ['a changed path', signed(body, { target: '/messages?from=test' })],
      ['a changed query', signed(body, { target: '/mcp?from=tests' })],
      ['a changed body', signed(bodyFor(name, { domain: 'others' }))],
      ['a stale signature', signed(body, { timestamp: now() - 400 })],
      ['a signature ahead of time', signed(body, { timestamp: now() + 400 })],
    ];
    for (const [what, headers] of refusals) expect([what, (await call(headers, body)).status]).toEqual([what, 401]);
    const once = signed(body);
    for (const headers of [bearer('full'), once]) {
      const { status, text } = await call(headers, body);
      expect([status, /\\"code\\":\\"(unauthorized|forbidden)\\"/.test(text)]).toEqual([200, false]);
    }
    expect((await call(once, body)).status).toBe(401);
  });

  it.each(tools.filter(({ parameters }) => parameters.includes('domain')).map(({ name }) => [name]))(
    '%s writes to no domain that its key does not cover',
    async (name) => {
      const input = {
        domain: 'others',
        text: 'A lamp.',
        source_path: 'a.md',
        session_id: 's',
        concepts: [{ name: 'x' }],
      };
      const { text } = await call(bearer('bound'), bodyFor(name, input));
      expect(text).toMatch(/\\"code\\":\\"(forbidden|domain_not_found|invalid_input)\\"/);
    },
  );

  it.each(tools.filter(({ parameters }) => parameters.includes('domains')).map(({ name }) => [name]))(
    '%s reads no domain that its key does not cover',
    async (name) => {
      const { text } = await call(
        bearer('bound'),
        bodyFor(name, { domains: ['others'], context: 'lamp', persona: 'p', query: 'lamp' }),
      );
      expect(text).toMatch(/\\"code\\":\\"(forbidden|domain_not_found|invalid_input)\\"/);
    },
  );
});
