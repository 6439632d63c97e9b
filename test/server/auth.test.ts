import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type HmacCompat, signRequest } from '../../src/core/hmac.js';
import { json, ROUTES, type Serving, serving } from './harness.js';
import { NOW, SECRET, signature } from './signature.js';

const KEY = 'key-one';
const clock = () => NOW * 1000;

interface Sent {
  method?: string;
  target?: string;
  body?: string;
}

let servers: Serving[] = [];
async function start(environment: Record<string, string>, more = {}): Promise<Serving> {
  const server = await serving(environment, { clock, ...more });
  servers.push(server);
  return server;
}
afterEach(async () => {
  await Promise.all(servers.map((server) => server.close()));
  servers = [];
});

function send(server: Serving, sent: Sent, headers: Record<string, string> = {}): Promise<Response> {
  const { method = 'GET', target = '/', body } = sent;
  return fetch(`${server.url}${target}`, {
    method,
    headers: { ...(body === undefined ? {} : { 'Content-Type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body }),
  });
}

/** One good request for each row of the table. */
const REQUESTS: Sent[] = ROUTES.filter((route) => route.auth !== 'open' && route.path !== '/v1/upload').map(
  (route) => ({
    method: route.method,
    target: route.path.replace('{thing_id}', 'a%2Fb') + (route.method === 'GET' ? '?text=a&ms=1' : ''),
    ...(route.method === 'POST' ? { body: '{"text":"a","how":"conflict"}' } : {}),
  }),
);

describe.each(REQUESTS.map((sent) => [`${sent.method} ${sent.target}`, sent] as const))('%s', (_name, sent) => {
  let both: Serving;
  beforeAll(async () => {
    both = await serving({ SVC_API_KEYS: `other, ${KEY}`, SVC_HMAC_SECRET: SECRET }, { clock });
  });
  afterAll(() => both.close());

  const refusals: Array<[string, Record<string, string>]> = [
    ['nothing', {}],
    ['a wrong key', { Authorization: 'Bearer wrong' }],
    ['an empty key', { Authorization: 'Bearer ' }],
    ['another scheme', { Authorization: `Basic ${KEY}` }],
    ['a signature of another secret', signature(sent, { secret: 'other' })],
    ['a signature of another method', signature(sent, { method: 'PUT' })],
    ['a signature of another path', signature(sent, { target: '/v1/other' })],
    ['a signature of another query', signature(sent, { target: `${sent.target}&x=1` })],
    ['a signature of another body', signature(sent, { body: '{"text":"b"}' })],
    ['a signature that is too old', signature(sent, { timestamp: NOW - 301 })],
    ['a signature from the future', signature(sent, { timestamp: NOW + 301 })],
    ['a timestamp that was changed', { ...signature(sent), 'X-Svc-Timestamp': String(NOW + 1) }],
    ['a timestamp that is no number', { ...signature(sent), 'X-Svc-Timestamp': 'now' }],
    ['a signature that is none', { ...signature(sent), 'X-Svc-Signature': 'x' }],
    ['a nonce that was not signed', { ...signature(sent), 'X-Svc-Nonce': 'n' }],
    ['a signature without a timestamp', { 'X-Svc-Signature': signature(sent)['X-Svc-Signature'] }],
  ];
  it.each(refusals)('is refused with %s', async (_case, headers) => {
    const response = await send(both, sent, { Origin: 'http://elsewhere', ...headers });
    expect(response.status).toBe(401);
    expect((await json(response)).code).toBe('unauthorized');
    expect(response.headers.get('www-authenticate')).toBe('Bearer realm="svc", HMAC-SHA256 realm="svc"');
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
  });

  const base64 = Buffer.from(signature(sent)['X-Svc-Signature'], 'hex').toString('base64');
  const admissions: Array<[string, Record<string, string>]> = [
    ['a key', { Authorization: `Bearer ${KEY}` }],
    ['a key, whatever the case of the scheme', { Authorization: `bearer ${KEY}` }],
    ['a signature', signature(sent)],
    ['a signature in base64', { ...signature(sent), 'X-Svc-Signature': base64 }],
    ['a signature of the edge of the window', signature(sent, { timestamp: NOW - 300 })],
    ['a signature beside a wrong key', { Authorization: 'Bearer wrong', ...signature(sent) }],
    ['a key beside a wrong signature', { Authorization: `Bearer ${KEY}`, ...signature(sent, { secret: 'x' }) }],
  ];
  it.each(admissions)('is admitted with %s', async (_case, headers) => {
    const response = await send(both, sent, headers);
    expect(response.status).not.toBe(401);
    expect(response.status).toBeLessThan(500);
    await response.body?.cancel();
  });
});

describe('authentication', () => {
  it('is off without keys and secret, and callers then count as unknown', async () => {
    const server = await start({});
    const response = await send(server, { target: '/v1/echo?text=a' });
    expect(await json(response)).toMatchObject({ authenticated: false });
  });

  it('tells the operation that the caller is known', async () => {
    const server = await start({ SVC_API_KEYS: KEY });
    const response = await send(server, { target: '/v1/echo?text=a' }, { Authorization: `Bearer ${KEY}` });
    expect(await json(response)).toMatchObject({ authenticated: true });
  });

  it('leaves health open, and hides which paths exist', async () => {
    const server = await start({ SVC_API_KEYS: KEY });
    expect((await send(server, { target: '/v1/health' })).status).toBe(200);
    expect((await send(server, { target: '/nowhere' })).status).toBe(401);
    const response = await send(server, { target: '/nowhere' }, { Authorization: `Bearer ${KEY}` });
    expect(response.status).toBe(404);
  });

  it('accepts a nonce once', async () => {
    const server = await start({ SVC_HMAC_SECRET: SECRET });
    const sent = { target: '/v1/echo?text=a' };
    const headers = signature(sent, { nonce: 'once' });
    expect((await send(server, sent, headers)).status).toBe(200);
    const again = await send(server, sent, headers);
    expect(again.status).toBe(401);
    expect((await json(again)).error).toContain('nonce');
    expect((await send(server, sent, signature(sent, { nonce: 'twice' }))).status).toBe(200);
  });

  it('does not remember the nonce of a request that it refused', async () => {
    const server = await start({ SVC_HMAC_SECRET: SECRET });
    const sent = { target: '/v1/echo?text=a' };
    expect((await send(server, sent, signature(sent, { nonce: 'n', secret: 'wrong' }))).status).toBe(401);
    expect((await send(server, sent, signature(sent, { nonce: 'n' }))).status).toBe(200);
  });

  it('accepts one of many parallel requests with one nonce', async () => {
    const server = await start({ SVC_HMAC_SECRET: SECRET });
    const sent = { target: '/v1/echo?text=a' };
    const headers = signature(sent, { nonce: 'race' });
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(server, sent, headers)));
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
  });

  it('requires a nonce where that is configured', async () => {
    const server = await start({ SVC_HMAC_SECRET: SECRET, SVC_HMAC_REQUIRE_NONCE: '1' });
    const sent = { target: '/v1/echo?text=a' };
    expect((await send(server, sent, signature(sent))).status).toBe(401);
    expect((await send(server, sent, signature(sent, { nonce: 'n' }))).status).toBe(200);
  });

  it('has a window that settings and the variant narrow', async () => {
    const sent = { target: '/v1/echo?text=a' };
    const headers = signature(sent, { timestamp: NOW - 61 });
    const byVariant = await start({ SVC_HMAC_SECRET: SECRET }, { hmacMaxAge: 60 });
    expect((await send(byVariant, sent, headers)).status).toBe(401);
    const bySetting = await start({ SVC_HMAC_SECRET: SECRET, SVC_HMAC_MAX_AGE: '10' }, { hmacMaxAge: 60 });
    expect((await send(bySetting, sent, signature(sent, { timestamp: NOW - 11 }))).status).toBe(401);
    const wide = await start({ SVC_HMAC_SECRET: SECRET });
    expect((await send(wide, sent, headers)).status).toBe(200);
  });

  it.each<[HmacCompat, string]>([
    ['path-only', signRequest(SECRET, { timestamp: String(NOW), method: 'POST', target: '/v1/echo' }, '{"text":"a"}')],
    ['timestamp-body', signRequest(SECRET, { timestamp: `${NOW}.`, method: '', target: '' }, '{"text":"a"}')],
  ])('accepts the older form %s only where it is switched on', async (compat, form) => {
    const headers = { 'X-Svc-Timestamp': String(NOW), 'X-Svc-Signature': form };
    const sent = { method: 'POST', target: '/v1/echo?top_k=3', body: '{"text":"a"}' };
    const strict = await start({ SVC_HMAC_SECRET: SECRET });
    expect((await send(strict, sent, headers)).status).toBe(401);
    const lenient = await start({ SVC_HMAC_SECRET: SECRET, SVC_HMAC_COMPAT: compat });
    expect((await send(lenient, sent, headers)).status).toBe(200);
    expect((await send(lenient, sent, signature(sent))).status).toBe(200);
  });

  it('reads the headers under the name of the service', async () => {
    const server = await start({ SVC_NAME: 'acme', ACME_HMAC_SECRET: SECRET });
    const sent = { target: '/v1/echo?text=a' };
    const { 'X-Svc-Timestamp': timestamp, 'X-Svc-Signature': signed } = signature(sent);
    expect((await send(server, sent, signature(sent))).status).toBe(401);
    const renamed = { 'X-Acme-Timestamp': timestamp!, 'X-Acme-Signature': signed! };
    expect((await send(server, sent, renamed)).status).toBe(200);
  });

  it('limits the size of a signed body before it is verified', async () => {
    const server = await start({ SVC_HMAC_SECRET: SECRET, SVC_MAX_BODY_BYTES: '2000' });
    const sent = { method: 'POST', target: '/v1/echo', body: `{"text":"${'a'.repeat(3000)}"}` };
    expect((await send(server, sent, signature(sent))).status).toBe(413);
  });
});

describe('cors', () => {
  it('answers a preflight without credentials of any kind', async () => {
    const server = await start({ SVC_API_KEYS: KEY });
    const response = await fetch(`${server.url}/v1/echo`, {
      method: 'OPTIONS',
      headers: {
        Origin: 'http://app',
        'Access-Control-Request-Method': 'DELETE',
        'Access-Control-Request-Headers': 'authorization, content-type',
      },
    });
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-methods')).toContain('DELETE');
    expect(response.headers.get('access-control-allow-headers')).toContain('authorization');
    expect(response.headers.get('access-control-allow-credentials')).toBeNull();
  });

  it('names only origins of the list', async () => {
    const server = await start({ SVC_CORS_ORIGINS: 'http://one, http://two' });
    const originFor = async (origin: string) =>
      (await fetch(`${server.url}/nowhere`, { headers: { Origin: origin } })).headers.get(
        'access-control-allow-origin',
      );
    expect(await originFor('http://two')).toBe('http://two');
    expect(await originFor('http://three')).toBeNull();
  });

  it('stands on errors of every kind', async () => {
    const server = await start({ SVC_API_KEYS: KEY });
    for (const [path, init] of [
      ['/nowhere', {}],
      ['/v1/echo', { method: 'DELETE' }],
      ['/v1/echo', { method: 'POST', body: '{', headers: { 'Content-Type': 'application/json' } }],
      ['/v1/things/%zz', { method: 'DELETE' }],
    ] as Array<[string, RequestInit]>) {
      const headers = { Origin: 'http://app', ...(init.headers as Record<string, string>) };
      const response = await fetch(`${server.url}${path}`, { ...init, headers });
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
    }
  });
});

describe('the rate limit', () => {
  it('counts each key for itself, says when to come back, and spares health', async () => {
    let now = 1000;
    const time = jest.spyOn(performance, 'now').mockImplementation(() => now);

    const server = await start({ SVC_API_KEYS: 'one,two', SVC_RATE_LIMIT: '2:3' });
    const call = (key: string) => send(server, { target: '/v1/echo?text=a' }, { Authorization: `Bearer ${key}` });
    for (let i = 0; i < 3; i += 1) expect((await call('one')).status).toBe(200);
    const refused = await call('one');
    expect([refused.status, refused.headers.get('retry-after'), (await json(refused)).code]).toEqual([
      429,
      '1',
      'rate_limited',
    ]);
    expect((await call('two')).status).toBe(200);
    for (let i = 0; i < 10; i += 1) expect((await send(server, { target: '/v1/health' })).status).toBe(200);
    now += 1000;
    expect((await call('one')).status).toBe(200);
    expect((await call('one')).status).toBe(200);
    expect((await call('one')).status).toBe(429);
    time.mockRestore();
  });
});

describe('a signed request to a row without a body', () => {
  it('is refused with one: the body could be the end of another target', async () => {
    const server = await start({ SVC_HMAC_SECRET: SECRET });
    const sent = { method: 'DELETE', target: '/v1/things/prod-old' };
    const headers = signature(sent);
    expect((await send(server, sent, headers)).status).toBe(200);
    const moved = await send(server, { method: 'DELETE', target: '/v1/things/prod', body: '-old' }, headers);
    expect([moved.status, (await json(moved)).code]).toEqual([400, 'invalid_input']);
  });
});
