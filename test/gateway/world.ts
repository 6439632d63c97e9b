import { afterEach } from '@jest/globals';
import { openSqlite } from '../../src/backends/store/engine/sqlite.js';
import type { Store } from '../../src/backends/store/scope.js';
import { type ComposedGateway, composeGateway } from '../../src/compose/gateway/gateway.js';
import { type Config, loadConfig } from '../../src/config.js';
import { createApp } from '../../src/server/app.js';
import { dashboardPages } from '../../src/server/gateway/dashboards.js';
import { intakePages } from '../../src/server/gateway/intake-pages.js';
import { metricsPage } from '../../src/server/gateway/metrics-page.js';
import { GREEN_BASE, gatewayRows, LEARNING_BASE } from '../../src/server/gateway/rows.js';
import { type Listening, listen } from '../../src/server/listen.js';
import type { Service } from '../../src/service.js';
import type { Logger } from '../../src/telemetry/logger.js';

export const NOON = Date.UTC(2026, 5, 15, 12);

export interface GatewayWorld {
  readonly store: Store;
  readonly gateway: ComposedGateway;
  readonly config: Config;
  readonly url: string;
  /** Lines of the log at level warn or above. */
  readonly warnings: string[];
  /** The service's clock. */
  now: number;
  green(path: string, init?: RequestInit): Promise<Answer>;
  learning(path: string, init?: RequestInit): Promise<Answer>;
  call(path: string, init?: RequestInit): Promise<Answer>;
  close(): Promise<void>;
}

export interface Answer {
  readonly status: number;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: bodies of every shape
  readonly body: any;
  readonly headers: Headers;
}

export interface WorldOptions {
  readonly environment?: Record<string, string>;
  /** Settings over those of the environment. */
  readonly settings?: ReadonlyArray<readonly [path: string, value: unknown]>;
  readonly now?: number;
  readonly store?: Store;
}

/** The gateway over HTTP with a real store and a clock that tests set. */
export async function gatewayWorld(options: WorldOptions = {}): Promise<GatewayWorld> {
  const warnings: string[] = [];
  const note = (...args: unknown[]) => void warnings.push(args.map((arg) => JSON.stringify(arg)).join(' '));
  const log = { info: () => undefined, warn: note, error: note, debug: () => undefined } as unknown as Logger;
  const config = loadConfig({
    environment: options.environment ?? {},
    flags: (options.settings ?? []).map(([path, value]) => [path, path, value] as const),
  });
  const store = options.store ?? (await openSqlite(':memory:'));
  const state = { now: options.now ?? NOON };
  const gateway = composeGateway({ store, config, clock: () => state.now, log });
  const service = { gateway, store } as unknown as Service;
  const routes = [
    ...gatewayRows,
    ...dashboardPages(),
    ...intakePages(service, config.http.max_body_bytes),
    metricsPage(service),
  ];
  const server: Listening = await listen(createApp({ config, service, routes, log }).callback(), {
    host: '127.0.0.1',
    port: 0,
    drainMs: 1000,
  });
  const call = async (path: string, init?: RequestInit): Promise<Answer> => {
    const response = await fetch(`${server.url}${path}`, init);
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') === true;
    return { status: response.status, text, body: isJson ? JSON.parse(text) : undefined, headers: response.headers };
  };
  return {
    store,
    gateway,
    config,
    url: server.url,
    warnings,
    get now() {
      return state.now;
    },
    set now(value) {
      state.now = value;
    },
    call,
    green: (path, init) => call(`${GREEN_BASE}${path}`, init),
    learning: (path, init) => call(`${LEARNING_BASE}${path}`, init),
    close: async () => {
      await server.close();
      await gateway.intake.close();
      if (options.store === undefined) await store.close();
    },
  };
}

/** Returns what opens worlds for the tests of a file; they are closed after each test. */
export function worldsOfEachTest(): (options?: WorldOptions) => Promise<GatewayWorld> {
  let worlds: GatewayWorld[] = [];
  afterEach(async () => {
    await Promise.all(worlds.map((world) => world.close()));
    worlds = [];
  });
  return async (options = {}) => {
    const world = await gatewayWorld(options);
    worlds.push(world);
    return world;
  };
}

/** A request with a JSON body. */
export function post(body: unknown, headers: Record<string, string> = {}): RequestInit {
  return {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  };
}
