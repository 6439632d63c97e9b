import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { loadConfig } from '../../src/config.js';
import { systemClock } from '../../src/core/clock.js';
import { createApp } from '../../src/server/app.js';
import { routesOf } from '../../src/server/docs.js';
import { dashboardPages } from '../../src/server/gateway/dashboards.js';
import { intakePages } from '../../src/server/gateway/intake-pages.js';
import { metricsPage } from '../../src/server/gateway/metrics-page.js';
import { limitsOf } from '../../src/server/limits/limits.js';
import { type Listening, listen } from '../../src/server/listen.js';
import { isRow, type Route } from '../../src/server/route.js';
import { bodyOf } from '../../src/server/routes/row.js';
import { toolPagesOf } from '../../src/server/tool-pages.js';
import { VARIANTS, type VariantName } from '../../src/server/variants.js';
import type { Service } from '../../src/service.js';
import { createLogger } from '../../src/telemetry/logger.js';

const config = loadConfig({ environment: {} });
/** Nothing of it may be reached: whatever is called on it fails the request with 500. */
const service = {} as Service;
const tools = toolPagesOf(config, service, limitsOf(config, systemClock).slots);
afterAll(() => tools.close());

/** All that a variant serves, as `startServer` puts it together. */
const routesServed = (name: VariantName): Route[] =>
  name === 'b'
    ? routesOf(name, config)
    : [
        ...routesOf(name, config),
        ...dashboardPages(),
        ...intakePages(service, config.http.max_body_bytes),
        metricsPage(service),
        ...tools.pages,
      ];

/** What a page of another site sends, and a name that leads to this machine (DNS rebinding). */
const FOREIGN: ReadonlyArray<readonly [string, Record<string, string>]> = [
  ['an Origin elsewhere', { origin: 'https://evil.example' }],
  ['an opaque Origin', { origin: 'null' }],
  ['an Origin that begins like ours', { origin: 'http://127.0.0.1.evil.example' }],
  ['a Host of another name', { host: 'evil.example' }],
  ['a Host of another name with our port', { host: 'evil.example:8400' }],
];

interface Answer {
  readonly status: number;
  /** The origin of web pages that may read the answer. */
  readonly allowed: string | undefined;
}

/** `fetch` does not let a caller set Host. */
function send(
  url: string,
  route: Route,
  headers: Record<string, string>,
  method: string = route.method,
): Promise<Answer> {
  const target = route.path.replace(/\{[^}]+\}/g, 'x');
  const body = method === route.method && isRow(route) && bodyOf(route) !== 'none' ? '{}' : '';
  return new Promise((resolve, reject) => {
    const sending = request(`${url}${target}`, {
      method,
      headers: { ...headers, ...(body === '' ? {} : { 'content-type': 'application/json' }) },
    });
    sending.once('error', reject).once('response', (answer) => {
      resolve({ status: answer.statusCode ?? 0, allowed: answer.headers['access-control-allow-origin'] });
      // An event stream has no end of its own.
      answer.destroy();
    });
    sending.end(body);
  });
}

describe.each(Object.keys(VARIANTS) as VariantName[])('variant %s without credentials', (name) => {
  const routes = routesServed(name);
  let server: Listening;
  beforeAll(async () => {
    const app = createApp({ config, service, routes, log: createLogger('silent'), hmacMaxAge: 300 });
    server = await listen(app.callback(), { host: '127.0.0.1', port: 0, drainMs: 100 });
  });
  afterAll(() => server.close());

  it.each(routes.map((route) => [`${route.method} ${route.path}`, route] as const))(
    'refuses web pages of other sites on %s, and lets no other than them be refused',
    async (_, route) => {
      for (const [what, headers] of FOREIGN) {
        const preflight = { ...headers, 'access-control-request-method': route.method };
        const refused = { status: 403, allowed: undefined };
        expect([what, await send(server.url, route, headers)]).toEqual([what, refused]);
        expect([what, await send(server.url, route, preflight, 'OPTIONS')]).toEqual([what, refused]);
      }
      for (const headers of [{}, { origin: server.url }, { origin: 'http://localhost:3000' }]) {
        expect((await send(server.url, route, headers)).status).not.toBe(403);
      }
    },
  );
});

it('a page whose origin is listed for the gateway may call the gateway alone', async () => {
  const listed = loadConfig({ environment: { GATEWAY_CORS_ORIGIN: 'https://a.example, https://b.example' } });
  const app = createApp({ config: listed, service, routes: routesServed('a'), log: createLogger('silent') });
  const server = await listen(app.callback(), { host: '127.0.0.1', port: 0, drainMs: 100 });
  const origin = 'https://b.example';
  const [gateway, other] = ['/__gateway__/nowhere', '/nowhere'].map((path) =>
    fetch(`${server.url}${path}`, { headers: { origin } }),
  );
  const allowed = (answer: Response) => [answer.status, answer.headers.get('access-control-allow-origin')];
  expect([allowed(await gateway!), allowed(await other!)]).toEqual([
    [404, origin],
    [403, null],
  ]);
  await server.close();
});
