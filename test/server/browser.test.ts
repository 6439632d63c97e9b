import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { json, ROUTES, type Serving, serving } from './harness.js';

let open: Serving;
let keyed: Serving;
beforeAll(async () => {
  [open, keyed] = await Promise.all([serving({}), serving({ SVC_API_KEYS: 'k' })]);
});
afterAll(() => Promise.all([open.close(), keyed.close()]));

/** `fetch` does not let a caller set Host. */
function statusFor(server: Serving, headers: Record<string, string>, path = '/v1/health', method = 'GET') {
  return new Promise<number>((resolve, reject) => {
    const sending = request(`${server.url}${path}`, { method, headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode!);
    });
    sending.on('error', reject);
    sending.end();
  });
}

const FOREIGN: ReadonlyArray<readonly [string, Record<string, string>]> = [
  ['an Origin elsewhere', { Origin: 'https://evil.example' }],
  ['an opaque Origin', { Origin: 'null' }],
  ['an Origin that begins like ours', { Origin: 'http://localhost.evil.example' }],
  ['a Host of another name', { Host: 'evil.example' }],
];

describe('a web page of another site, where no credentials are configured', () => {
  it.each(FOREIGN)('is refused on every route with %s', async (_case, headers) => {
    for (const { method, path } of ROUTES) {
      const target = path.replace(/\{[^}]+\}/g, 'x');
      expect([method, path, await statusFor(open, headers, target, method)]).toEqual([method, path, 403]);
    }
    expect(await statusFor(open, headers, '/nowhere')).toBe(403);
  });

  it('gets no answer to a preflight that it could use', async () => {
    const answer = await fetch(`${open.url}/v1/things/a`, {
      method: 'OPTIONS',
      headers: { Origin: 'https://evil.example', 'Access-Control-Request-Method': 'DELETE' },
    });
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([403, null]);
  });

  it('may call where its origin is on loopback or listed', async () => {
    for (const origin of ['http://localhost:5173', 'http://127.0.0.1', 'http://[::1]:80']) {
      const answer = await fetch(`${open.url}/v1/health`, { headers: { Origin: origin } });
      expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, origin]);
    }
    const listed = await serving({ SVC_CORS_ORIGINS: 'https://app.example' });
    expect(await statusFor(listed, { Origin: 'https://app.example' })).toBe(200);
    expect(await statusFor(listed, { Origin: 'https://other.example' })).toBe(403);
    await listed.close();
  });

  it('is told which setting lists the origins of a path', async () => {
    const headers = { Origin: 'https://app.example' };
    const ofService = await json(await fetch(`${open.url}/v1/health`, { headers }));
    expect(ofService.error).toMatch(/or add the origin to SVC_CORS_ORIGINS\.$/);
    const ofGateway = await json(await fetch(`${open.url}/__gateway__/api/green/summary`, { headers }));
    expect(ofGateway.error).toMatch(/or add the origin to GATEWAY_CORS_ORIGIN\.$/);
  });

  it('is let through to authentication where keys are configured', async () => {
    const answer = await fetch(`${keyed.url}/v1/echo?text=a`, { headers: { Origin: 'https://app.example' } });
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([401, '*']);
    expect((await json(answer)).code).toBe('unauthorized');
  });
});

describe('a POST without input', () => {
  it('may have a JSON content type and no body', async () => {
    const answer = await fetch(`${open.url}/v1/things/a/sync`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
    });
    expect([answer.status, await json(answer)]).toEqual([200, { thing_id: 'a' }]);
  });

  it('gets the name of the missing member where the row needs one', async () => {
    const answer = await fetch(`${open.url}/v1/echo`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
    });
    expect([answer.status, (await json(answer)).details]).toEqual([400, { member: 'text' }]);
  });
});

describe('Allow', () => {
  it('names no method of another row', async () => {
    const answer = await fetch(`${open.url}/v1/things/all`, { method: 'PUT' });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
  });
});
