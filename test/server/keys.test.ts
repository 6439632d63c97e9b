import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { run } from '../../src/cli/run.js';
import { coversDomain, type Scope } from '../../src/core/async/caller-scope.js';
import { FailedAttempts, networkOf } from '../../src/server/keys/failed-attempts.js';
import { readKeys, writeKeys } from '../../src/server/keys/key-file.js';
import { json, type Serving, serving } from './harness.js';

let directory: string;
let file: string;
let servers: Serving[] = [];
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'keys-'));
  file = join(directory, 'keys.yaml');
});
afterEach(async () => {
  jest.restoreAllMocks();
  await Promise.all(servers.map((server) => server.close()));
  servers = [];
  delete process.env.SVC_KEYS_FILE;
  rmSync(directory, { recursive: true, force: true });
});

async function start(environment: Record<string, string> = {}, more = {}): Promise<Serving> {
  const server = await serving({ SVC_KEYS_FILE: file, ...environment }, more);
  servers.push(server);
  return server;
}

/** Runs a command of `svc keys`; returns its exit code and what it printed. */
async function keys(...words: string[]): Promise<{ code: number; out: string }> {
  process.env.SVC_KEYS_FILE = file;
  let out = '';
  const write = (text: unknown) => {
    out += String(text);
    return true;
  };
  jest.spyOn(process.stdout, 'write').mockImplementation(write as never);
  jest.spyOn(process.stderr, 'write').mockImplementation(write as never);
  const code = await run(['node', 'svc', 'keys', ...words]);
  jest.restoreAllMocks();
  return { code, out };
}

const made = async (...words: string[]) =>
  (JSON.parse((await keys('add', ...words, '--json')).out) as { key: string }).key;
const statusFor = async (server: Serving, key: string) =>
  (await fetch(`${server.url}/v1/echo?text=a`, { headers: { Authorization: `Bearer ${key}` } })).status;

describe('svc keys', () => {
  it('makes a key of 256 bits, prints it once, and stores its digest for the owner only', async () => {
    const { code, out } = await keys('add', 'ada', '--domain', 'docs', '--domain', 'team-*', '--expires', '2099-01-01');
    expect(code).toBe(0);
    const key = /svc_[\w-]{43}/.exec(out)![0];
    expect(readFileSync(file, 'utf8')).not.toContain(key);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readKeys(file)).toMatchObject([
      { name: 'ada', domains: ['docs', 'team-*'], access: 'read', areas: [], expires: Date.parse('2099-01-01') },
    ]);
    const listed = await keys('list');
    expect(listed.out).toContain('team-*');
    expect(listed.out).not.toContain(readKeys(file)[0]!.sha256);
  });

  it('says what is wrong, and then writes nothing', async () => {
    await keys('add', 'ada');
    const before = readFileSync(file, 'utf8');
    expect(await keys('add', 'ada')).toMatchObject({ code: 1, out: expect.stringContaining('There is a key ada') });
    expect(await keys('add', 'bob', '--area', 'cellar')).toMatchObject({
      code: 2,
      out: expect.stringContaining('areas'),
    });
    expect(await keys('add', 'bob', '--expires', 'soon')).toMatchObject({ code: 2 });
    const past = { code: 2, out: expect.stringContaining('--expires is in the past') };
    expect(await keys('add', 'bob', '--expires', '2020-01-01')).toMatchObject(past);
    expect(await keys('revoke', 'carl')).toMatchObject({ code: 1 });
    expect(readFileSync(file, 'utf8')).toBe(before);
  });

  it('counts at once in a service that runs, with no restart', async () => {
    const server = await start();
    const key = await made('ada');
    expect(await statusFor(server, key)).not.toBe(401);
    await keys('revoke', 'ada');
    expect(await statusFor(server, key)).toBe(401);
  });

  it('tells in the list which keys have expired', async () => {
    const blank = { domains: null, access: 'read', areas: [] } as const;
    const entry = (name: string, at: string) => ({ ...blank, name, sha256: 'a'.repeat(64), expires: Date.parse(at) });
    writeKeys(file, [entry('old', '2020-01-01'), entry('new', '2099-01-01')]);
    const { out } = await keys('list');
    expect(out).toContain('2020-01-01T00:00:00.000Z (expired)');
    expect(out).not.toContain('2099-01-01T00:00:00.000Z (expired)');
  });

  it('names the key of each request in the log, and never the key itself', async () => {
    const key = await made('ada');
    const server = await start({ SVC_API_KEYS: 'plain' });
    for (const sent of [key, 'plain', 'wrong']) await statusFor(server, sent);
    const requests = server.lines.filter(({ message }) => message === 'request').map(({ fields }) => fields);
    expect(requests.map((fields) => fields.key)).toEqual(['ada', undefined, undefined]);
    expect(JSON.stringify(server.lines)).not.toContain(key);
  });

  it('loses no key where many commands write at once', async () => {
    const names = Array.from({ length: 8 }, (_, i) => `key-${i}`);
    process.env.SVC_KEYS_FILE = file;
    jest.spyOn(process.stdout, 'write').mockImplementation((() => true) as never);
    await Promise.all(names.map((name) => run(['node', 'svc', 'keys', 'add', name])));
    expect(
      readKeys(file)
        .map(({ name }) => name)
        .sort(),
    ).toEqual(names);
  });
});

describe('the keys file', () => {
  it.each([
    ['keys: 7', 'keys must be a list'],
    ['keys: [{ name: a, sha256: abc }]', 'keys[0].sha256'],
    [`keys: [{ name: a, sha256: ${'a'.repeat(64)}, domain: docs }]`, 'keys[0].domain must be left out'],
    [`keys: [{ name: a, sha256: ${'a'.repeat(64)}, access: all }]`, 'keys[0].access must be read or write'],
    [`keys: [{ name: a, sha256: ${'a'.repeat(64)}, domains: docs }]`, 'keys[0].domains'],
    [`keys: [{ name: a, sha256: ${'a'.repeat(64)}, domains: }]`, 'keys[0].domains must be a list'],
    [`keys: [{ name: a, sha256: ${'a'.repeat(64)}, expires: }]`, 'keys[0].expires must be a time'],
    ['keys: [', 'cannot be read as YAML'],
  ])('is refused at the start: %s', async (text, message) => {
    writeFileSync(file, text);
    await expect(start()).rejects.toThrow(message);
  });

  it('admits nobody while it is broken, and the plain keys all the same', async () => {
    const key = await made('ada');
    const server = await start({ SVC_API_KEYS: 'plain' });
    expect(await statusFor(server, key)).not.toBe(401);
    writeFileSync(file, 'keys: [');
    expect(await statusFor(server, key)).toBe(401);
    expect(await statusFor(server, 'plain')).not.toBe(401);
  });

  it('admits nobody while its directory cannot be read, and its keys again afterwards', async () => {
    const directory = join(dirname(file), 'inner');
    mkdirSync(directory);
    file = join(directory, 'keys.yaml');
    const key = await made('ada');
    const server = await start({ SVC_API_KEYS: 'plain' });
    expect(await statusFor(server, key)).not.toBe(401);
    renameSync(directory, `${directory}.away`);
    writeFileSync(directory, 'a file in its place');
    expect(await statusFor(server, key)).toBe(401);
    expect(await statusFor(server, 'plain')).not.toBe(401);
    rmSync(directory);
    renameSync(`${directory}.away`, directory);
    expect(await statusFor(server, key)).not.toBe(401);
  });

  it('protects the service also while it lists no key', async () => {
    const server = await start();
    expect(await statusFor(server, 'anything')).toBe(401);
  });

  it('warns once at the start of a keys file that is not there, and admits the keys that are made later', async () => {
    const server = await start();
    const warnings = () => server.lines.filter(({ level }) => level === 'warn').map(({ message }) => message);
    expect(warnings()).toEqual([expect.stringContaining('SVC_KEYS_FILE names a file that is not there')]);
    expect(await statusFor(server, await made('ada'))).not.toBe(401);
    expect(warnings()).toHaveLength(1);
  });

  it('admits a key until it expires', async () => {
    const key = await made('ada', '--expires', '2030-01-01T00:00:00Z');
    let now = Date.parse('2029-12-31T23:59:59Z');
    const server = await start({}, { clock: () => now });
    expect(await statusFor(server, key)).not.toBe(401);
    now = Date.parse('2030-01-01T00:00:00Z');
    expect(await statusFor(server, key)).toBe(401);
  });
});

describe('failed authentication', () => {
  const wrong = { Authorization: 'Bearer wrong' };

  it('is limited by address, for a minute, and a good key passes', async () => {
    let now = Date.parse('2029-01-01T00:00:00Z');
    const server = await start({ SVC_API_KEYS: 'good', SVC_AUTH_FAILURES: '3' }, { clock: () => now });
    const failing = async () => (await fetch(`${server.url}/v1/echo?text=a`, { headers: wrong })).status;
    expect([await failing(), await failing(), await failing(), await failing()]).toEqual([401, 401, 401, 429]);
    const refused = await fetch(`${server.url}/v1/echo?text=a`, { headers: wrong });
    expect(refused.headers.get('retry-after')).toBe('60');
    expect(await json(refused)).toMatchObject({ code: 'rate_limited' });
    expect(await statusFor(server, 'good')).toBe(200);
    now += 60_000;
    expect(await failing()).toBe(401);
  });

  it('is counted for all addresses of an IPv6 network together, and for each IPv4 address by itself', () => {
    expect(networkOf('192.0.2.7')).toBe('192.0.2.7');
    expect(networkOf('::ffff:192.0.2.7')).toBe('192.0.2.7');
    expect(networkOf('::1')).toBe('0:0:0:0::/64');
    expect(networkOf('fe80::1%eth0')).toBe('fe80:0:0:0::/64');
    const failed = new FailedAttempts(2, () => 0);
    failed.note('2001:db8:1:2::1');
    failed.note('2001:db8:1:2:ffff:1:2:3');
    expect(() => failed.check('2001:DB8:1:2::9')).toThrow(expect.objectContaining({ code: 'rate_limited' }));
    expect(() => failed.check('2001:db8:1:3::9')).not.toThrow();
  });

  it('is refused before a body is read: the answer comes while the body is still on its way', async () => {
    const server = await start({ SVC_HMAC_SECRET: 'secret', SVC_AUTH_FAILURES: '1' });
    await fetch(`${server.url}/v1/echo?text=a`, { headers: wrong });
    const { hostname, port } = new URL(server.url);
    const head = [
      'POST /v1/echo HTTP/1.1',
      `Host: ${hostname}:${port}`,
      'Content-Type: application/json',
      'Content-Length: 100000',
      `X-Svc-Timestamp: ${Math.floor(Date.now() / 1000)}`,
      'X-Svc-Signature: 00',
    ];
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(port), hostname, () => socket.write(`${head.join('\r\n')}\r\n\r\n{"text":`));
      socket.once('data', (data) => {
        resolve(String(data));
        socket.destroy();
      });
      socket.once('error', reject);
    });
    expect(answer).toMatch(/^HTTP\/1\.1 429 /);
  });
});

describe('patterns of domains', () => {
  const scope = (...domains: string[]): Scope => ({ name: 'k', domains, access: 'read', areas: [] });
  it.each([
    ['docs', 'docs', true],
    ['docs', 'docs2', false],
    ['docs', 'Docs', false],
    ['team-*', 'team-a', true],
    ['team-*', 'ateam-a', false],
    ['*/public', 'a/public', true],
    ['*/public', 'public', false],
    ['a*b*c', 'axbxc', true],
    ['a*b*c', 'acb', false],
    ['a*a', 'a', false],
    ['*', 'anything', true],
  ])('%s and %s: %s', (pattern, domain, covered) => expect(coversDomain(scope(pattern), domain)).toBe(covered));

  it('are alternatives, and none of them covers nothing', () => {
    expect(coversDomain(scope('a', 'b'), 'b')).toBe(true);
    expect(coversDomain(scope(), 'b')).toBe(false);
    expect(coversDomain({ ...scope(), domains: null }, 'b')).toBe(true);
  });
});
