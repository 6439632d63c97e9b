import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { loadConfig } from '../../src/config.js';
import { createApp } from '../../src/server/app.js';
import { routesOf } from '../../src/server/docs.js';
import { GREEN_BASE, LEARNING_BASE } from '../../src/server/gateway/rows.js';
import { limitsOf } from '../../src/server/limits/limits.js';
import { type Listening, listen } from '../../src/server/listen.js';
import { isRow, type Route } from '../../src/server/route.js';
import { bodyOf, parametersOf } from '../../src/server/routes/row.js';
import { pagesBesideA } from '../../src/server/start.js';
import { toolPagesOf } from '../../src/server/tool-pages.js';
import { VARIANTS, type VariantName } from '../../src/server/variants.js';
import type { Service } from '../../src/service.js';
import { createLogger } from '../../src/telemetry/logger.js';
import { NOW, SECRET, signature } from './signature.js';

const KEY = 'a-good-key';

/** The tool transports admit pages of this machine alone, whoever sends. */
function originFor(target: string): { Origin: string } {
  return { Origin: /^\/(mcp|sse|messages)\b/.test(target) ? 'http://localhost:3000' : 'http://app.example' };
}

// No operation may be reached without credentials; with them each fails on this empty service.
const NOTHING = {} as Service;

interface Request {
  readonly method: string;
  readonly target: string;
  readonly body: string;
  readonly type: string;
}

/** A request of each row: authentication comes before what is in it. */
function requestOf(route: Route): Request {
  const target = `${parametersOf(route.path).reduce((path, name) => path.replace(`{${name}}`, 'a%2Fb'), route.path)}?depth=1`;
  const way = isRow(route) ? bodyOf(route) : route.method === 'POST' ? 'json' : 'none';
  const multipart = `--x\r\nContent-Disposition: form-data; name="domain"\r\n\r\nd\r\n--x--\r\n`;
  return {
    method: route.method,
    target,
    body: way === 'none' ? '' : way === 'json' ? '{"a":1}' : multipart,
    type: way === 'multipart' ? 'multipart/form-data; boundary=x' : 'application/json',
  };
}

/** The gateway's APIs have error bodies of their own: emissions in upper case, learning without a code. */
function refusalCode(target: string): string | undefined {
  if (target.startsWith(LEARNING_BASE)) return undefined;
  return target.startsWith(GREEN_BASE) ? 'UNAUTHORIZED' : 'unauthorized';
}

describe.each(Object.keys(VARIANTS) as VariantName[])('variant %s', (name) => {
  const window = Math.min(300, VARIANTS[name].hmacMaxAge);
  const environment = { SVC_API_KEYS: `other,${KEY}`, SVC_HMAC_SECRET: SECRET, SVC_AUTH_FAILURES: '100000' };
  const config = loadConfig({ environment });
  const tools = toolPagesOf(config, NOTHING, limitsOf(config, Date.now).slots);
  const beside = name === 'a' ? pagesBesideA(config, NOTHING, tools.pages) : [];
  const routes: Route[] = [...routesOf(name, config), ...beside];
  let server: Listening;
  beforeAll(async () => {
    const app = createApp({
      config,
      service: NOTHING,
      routes,
      log: createLogger('silent'),
      hmacMaxAge: VARIANTS[name].hmacMaxAge,
      clock: () => NOW * 1000,
    });
    server = await listen(app.callback(), { host: '127.0.0.1', port: 0, drainMs: 100 });
  });
  afterAll(async () => {
    await Promise.all([tools.close(), server.close()]);
  });

  async function send({ method, target, body, type }: Request, headers: Record<string, string>) {
    const answer = await fetch(`${server.url}${target}`, {
      method,
      headers: { ...originFor(target), ...(body === '' ? {} : { 'Content-Type': type }), ...headers },
      ...(body === '' ? {} : { body }),
    });
    const isStream = answer.headers.get('content-type') === 'text/event-stream';
    const text = isStream ? '' : await answer.text();
    if (isStream) await answer.body?.cancel();
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    return { status: answer.status, text, challenge: answer.headers.get('www-authenticate') };
  }

  /** `fetch` sends no body with GET. */
  function rawRequest({ method, target, body, type }: Request, headers: Record<string, string>) {
    return new Promise<{ status: number; text: string }>((resolve, reject) => {
      const length = { 'Content-Type': type, 'Content-Length': String(Buffer.byteLength(body)) };
      const sending = request(`${server.url}${target}`, { method, headers: { ...length, ...headers } });
      sending.once('error', reject).once('response', async (answer) => {
        const chunks: Buffer[] = [];
        for await (const chunk of answer) chunks.push(chunk as Buffer);
        resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(chunks).toString() });
      });
      sending.end(body);
    });
  }

  const guarded = routes.filter((route) => route.auth !== 'open');
  const named = (list: readonly Route[]) =>
    list.map((route) => [`${route.method} ${route.path}`, requestOf(route)] as const);

  it('leaves health and the pages that hold nothing of the service open, nothing else', () => {
    const open = routes.filter((route) => route.auth === 'open').map((route) => route.path);
    const dashboards = [`${GREEN_BASE}/dashboard`, `${LEARNING_BASE}/dashboard`];
    expect(open.filter((path) => !path.startsWith('/docs'))).toEqual([
      `${VARIANTS[name].base}/health`,
      '/',
      ...(name === 'a' ? dashboards : []),
    ]);
  });

  it.each(named(guarded))('%s admits who proves who it is, and nobody else', async (_name, sent) => {
    const refusals: Array<[string, Record<string, string>]> = [
      ['no key', {}],
      ['a wrong key', { Authorization: 'Bearer wrong' }],
      ['a wrong secret', signature(sent, { secret: 'wrong' })],
      ['a changed method', signature(sent, { method: sent.method === 'GET' ? 'POST' : 'GET' })],
      ['a changed path', signature(sent, { target: sent.target.replace('/', '/x') })],
      ['a changed query', signature(sent, { target: sent.target.replace('depth=1', 'depth=2') })],
      ['a dropped query', signature(sent, { target: sent.target.split('?')[0]! })],
      ['a changed body', signature(sent, { body: `${sent.body} ` })],
      ['a stale timestamp', signature(sent, { timestamp: NOW - window - 1 })],
      ['a timestamp ahead', signature(sent, { timestamp: NOW + window + 1 })],
      ['an unsigned nonce', { ...signature(sent), 'X-Svc-Nonce': 'n' }],
    ];
    for (const [what, headers] of refusals) {
      const { status, text, challenge } = await send(sent, headers);
      expect([what, status, (JSON.parse(text) as { code?: string }).code]).toEqual([
        what,
        401,
        refusalCode(sent.target),
      ]);
      expect(challenge).toBe('Bearer realm="svc", HMAC-SHA256 realm="svc"');
    }
    const once = signature(sent, { nonce: `${sent.method} ${sent.target}`.replace(/[^\w]/g, '-') });
    const admissions: Array<[string, Record<string, string>]> = [
      ['a good key', { Authorization: `Bearer ${KEY}` }],
      ['a good signature', signature(sent)],
      ['a signature at the edge of the window', signature(sent, { timestamp: NOW - window })],
      ['a nonce', once],
    ];
    for (const [what, headers] of admissions) {
      const { status } = await send(sent, headers);
      expect([what, status === 401 || status === 403]).toEqual([what, false]);
    }
    expect((await send(sent, once)).status).toBe(401);
  });

  const withoutBody = guarded.filter((route) => isRow(route) && bodyOf(route) === 'none');
  it.each(named(withoutBody))(
    '%s refuses a signed body, which could be the end of a longer target',
    async (_, sent) => {
      for (const [target, body] of [
        [sent.target, 'x'],
        // Signed for the whole target; its end is sent as the body.
        [sent.target.slice(0, -1), sent.target.slice(-1)],
      ] as const) {
        const headers = signature({ ...sent, target, body });
        const answer = await rawRequest({ ...sent, target, body }, headers);
        expect([answer.status, JSON.parse(answer.text).error]).toEqual([
          400,
          expect.stringContaining('must have no body'),
        ]);
      }
    },
  );

  it('answers preflights and unknown paths with CORS', async () => {
    for (const target of [`${VARIANTS[name].base}/query`, '/nowhere']) {
      const answer = await fetch(`${server.url}${target}`, {
        method: 'OPTIONS',
        headers: { ...originFor(target), 'Access-Control-Request-Method': 'POST' },
      });
      expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([204, '*']);
    }
    const nowhere = { method: 'GET', target: '/nowhere', body: '', type: '' };
    expect((await send(nowhere, {})).status).toBe(401);
    expect((await send(nowhere, { Authorization: `Bearer ${KEY}` })).status).toBe(404);
  });
});
