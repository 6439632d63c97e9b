import type { RequestListener } from 'node:http';
import type { Config } from '../config.js';
import { systemClock } from '../core/clock.js';
import { SvcError } from '../core/errors.js';
import { operations } from '../operations/index.js';
import type { Service } from '../service.js';
import type { Logger } from '../telemetry/logger.js';
import { isProtected } from './access.js';
import { type AppOptions, createApp } from './app.js';
import { removeStaleUploads } from './body/stale-uploads.js';
import { routesOf } from './docs.js';
import { dashboardPages } from './gateway/dashboards.js';
import { intakePages } from './gateway/intake-pages.js';
import { metricsPage } from './gateway/metrics-page.js';
import { keyRingOf } from './keys/key-ring.js';
import { limitsOf } from './limits/limits.js';
import { isLoopback, type Listening, listen } from './listen.js';
import { localRpcHandler, newToken } from './local-rpc.js';
import type { Page, Route } from './route.js';
import { toolPagesOf } from './tool-pages.js';
import { labelOf, type ServedName, servedAs } from './variants.js';

export interface StartOptions {
  readonly config: Config;
  readonly service: Service;
  readonly log: Logger;
  readonly variants: readonly ServedName[];
  /** Left out with a warning, instead of failing, where their port is taken. */
  readonly optional?: readonly ServedName[];
  /** Binding elsewhere than loopback without credentials. */
  readonly allowOpen?: boolean;
  /** Further pages of a variant: the gateway. The tool transports are mounted on A by themselves. */
  readonly pages?: Partial<Record<ServedName, readonly Route[]>>;
}

export interface Running {
  readonly urls: Partial<Record<ServedName, string>>;
  /** Where other commands on the data directory reach the service, and with what. */
  readonly rpc: {
    readonly url: string;
    readonly token: string;
    /** Why variants are not served that were to be: a sentence each. */
    readonly left_out: readonly string[];
  };
  close(): Promise<void>;
}

/** Serves the variants over HTTP, and local RPC for other commands. Throws `forbidden` before anything listens where it may not bind. */
export async function startServer(options: StartOptions): Promise<Running> {
  const { config, service, log } = options;
  requireProtection(config, options.allowOpen ?? false);
  await removeStaleUploads();
  const listening: Listening[] = [];
  const drainMs = config.http.drain_seconds * 1000;
  const urls: Partial<Record<ServedName, string>> = {};
  const limits = limitsOf(config, systemClock);
  const keys = keyRingOf(config, { clock: systemClock, log });
  service.leftOut.length = 0;
  const tools = options.variants.includes('a') ? toolPagesOf(config, service, limits.slots) : undefined;
  const close = async () => {
    const closing = listening.map((one) => one.close());
    // Streams of tool clients end only when we end them.
    await Promise.all([tools?.close(), ...closing]);
  };
  const beside = pagesBesideA(config, service, tools?.pages ?? []);
  const pages = { gateway: beside, ...options.pages, a: [...(options.pages?.a ?? []), ...beside] };
  try {
    for (const name of options.variants) {
      const open = await listen(handlerOf(name, { ...options, pages }, { limits, keys }), {
        host: config.http.host,
        port: servedAs(name).port(config),
        drainMs,
      }).catch((error: unknown) => {
        if (!(options.optional ?? []).includes(name) || !isTaken(error)) throw error;
        const sentence = leftOutSentence(name, config);
        log.warn({ variant: name, port: servedAs(name).port(config) }, sentence);
        service.leftOut.push(sentence);
        return undefined;
      });
      if (open === undefined) continue;
      listening.push(open);
      urls[name] = open.url;
    }
    const token = newToken();
    const rpc = await listen(localRpcHandler(service, operations, token), { host: '127.0.0.1', port: 0, drainMs });
    listening.push(rpc);
    service.jobs.start();
    return { urls, rpc: { url: rpc.url, token, left_out: service.leftOut }, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Returns what variant A, or the gateway, serves beside rows and documentation: dashboards, telemetry intake, figures, tools. */
export function pagesBesideA(config: Pick<Config, 'http'>, service: Service, tools: readonly Page[]): Page[] {
  return [...dashboardPages(), ...intakePages(service, config.http.max_body_bytes), metricsPage(service), ...tools];
}

function handlerOf(
  name: ServedName,
  { config, service, log, pages }: StartOptions,
  shared: Pick<AppOptions, 'limits' | 'keys'>,
): RequestListener {
  const routes = [...routesOf(name, config), ...(pages?.[name] ?? [])];
  return createApp({ config, service, log, routes, ...shared, hmacMaxAge: servedAs(name).hmacMaxAge }).callback();
}

function leftOutSentence(name: ServedName, config: Config): string {
  const variable = name === 'b' ? 'SVC_PORT_B' : 'SVC_PORT';
  const port = `Port ${servedAs(name).port(config)} on ${config.http.host}`;
  return `${port} is taken, so ${labelOf(name)} is left out. Set ${variable} to a free port, or to 0 for any, and start again.`;
}

function isTaken(error: unknown): boolean {
  return error instanceof SvcError && error.code === 'conflict';
}

/** Throws `forbidden` where an open service would listen beyond this machine without `--allow-open`. */
export function requireProtection(config: Pick<Config, 'auth' | 'http'>, allowOpen: boolean): void {
  if (isProtected(config) || allowOpen || isLoopback(config.http.host)) return;
  throw new SvcError(
    'forbidden',
    `Binding to ${config.http.host} without SVC_API_KEYS, SVC_KEYS_FILE or SVC_HMAC_SECRET would open the service to the network; set one of them, or pass --allow-open.`,
  );
}
