import { Type } from '@sinclair/typebox';
import { type Config, loadConfig } from '../../src/config.js';
import { SvcError } from '../../src/core/errors.js';
import { defaulted, operation } from '../../src/operations/operation.js';
import { createApp } from '../../src/server/app.js';
import { acceptUpload } from '../../src/server/body/upload.js';
import type { Limits } from '../../src/server/limits/limits.js';
import { type Listening, listen } from '../../src/server/listen.js';
import type { Route } from '../../src/server/route.js';
import type { Service } from '../../src/service.js';
import type { Logger } from '../../src/telemetry/logger.js';

/** Returns what it got: a real operation with a schema, as the service's own are. */
export const echo = operation({
  name: 'echo',
  summary: 'Answers its input.',
  readOnly: true,
  input: Type.Object({
    text: Type.String({ minLength: 1 }),
    top_k: defaulted(Type.Integer({ minimum: 1, maximum: 1000 }), 20),
    domains: defaulted(Type.Array(Type.String()), []),
    loud: defaulted(Type.Boolean(), false),
    context: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  }),
  output: Type.Object({ got: Type.Unknown(), authenticated: Type.Boolean() }),
  run: (_service, got, context) => Promise.resolve({ got, authenticated: context.authenticated }),
});

export const ping = operation({
  name: 'ping',
  summary: 'Answers.',
  readOnly: true,
  input: Type.Object({}),
  output: Type.Object({ status: Type.String() }),
  run: () => Promise.resolve({ status: 'ok' }),
});

export const remove = operation({
  name: 'remove',
  summary: 'Answers which thing was named.',
  input: Type.Object({ thing_id: Type.String({ minLength: 1 }) }),
  output: Type.Object({ thing_id: Type.String() }),
  run: (_service, input) => Promise.resolve({ thing_id: input.thing_id }),
});

export const removeAll = operation({
  name: 'remove_all',
  summary: 'Answers which things would go: those of a kind, or all.',
  input: Type.Object({ kind: Type.Optional(Type.String({ minLength: 1 })) }),
  output: Type.Object({ kind: Type.String() }),
  run: (_service, input) => Promise.resolve({ kind: input.kind ?? 'all' }),
});

/** Fails as requested. */
export const fail = operation({
  name: 'fail',
  summary: 'Fails.',
  input: Type.Object({ how: Type.String() }),
  output: Type.Object({}),
  run: (_service, { how }) => {
    if (how === 'limited') throw new SvcError('rate_limited', 'Later.', undefined, { retryAfter: 2.2 });
    if (how === 'driver') throw new Error('connect postgres://me:secret@db/x failed');
    throw new SvcError(how as 'conflict', 'It failed as requested.', { how });
  },
});

/** Reads the upload, so that a test sees that the file was there. */
export const readUpload = operation({
  name: 'read_upload',
  summary: 'Answers the size of an upload.',
  input: Type.Object({
    temporary_path: Type.String(),
    file_name: Type.String({ minLength: 1 }),
    domain: Type.String({ minLength: 1 }),
    copies: defaulted(Type.Integer(), 1),
  }),
  output: Type.Object({ size: Type.Integer(), name: Type.String(), copies: Type.Integer(), path: Type.String() }),
  run: async (_service, input) => {
    const { stat } = await import('node:fs/promises');
    if (input.domain === 'broken') throw new SvcError('conflict', 'The domain is broken.');
    const { size } = await stat(input.temporary_path);
    return { size, name: input.file_name, copies: input.copies, path: input.temporary_path };
  },
});

/** Works until it is aborted. */
export const slow = operation({
  name: 'slow',
  summary: 'Answers after a while.',
  readOnly: true,
  input: Type.Object({ ms: Type.Integer() }),
  output: Type.Object({ status: Type.String() }),
  run: async (_service, { ms }, { signal }) => {
    begun.push(ms);
    await new Promise((resolve, reject) => {
      const timer = setTimeout(resolve, ms);
      signal?.addEventListener('abort', () => {
        clearTimeout(timer);
        aborted.push(ms);
        reject(new Error('aborted'));
      });
    });
    return { status: 'done' };
  },
});
/** What `slow` began, and what was aborted. */
export const begun: number[] = [];
export const aborted: number[] = [];

/** Patience of a test on a busy machine. */
export const PATIENT = { timeout: 50_000, interval: 20 };

export const ROUTES: readonly Route[] = [
  { method: 'GET', path: '/v1/health', operation: ping, auth: 'open' },
  { method: 'GET', path: '/v1/echo', operation: echo },
  { method: 'POST', path: '/v1/echo', operation: echo },
  { method: 'POST', path: '/v1/ping', operation: ping, status: 201, reply: ({ status }) => ({ pong: status }) },
  { method: 'POST', path: '/v1/fail', operation: fail },
  { method: 'GET', path: '/v1/slow', operation: slow },
  { method: 'DELETE', path: '/v1/things', operation: removeAll },
  { method: 'DELETE', path: '/v1/things/{thing_id}', operation: remove },
  { method: 'POST', path: '/v1/things/{thing_id}/sync', operation: remove },
  { method: 'POST', path: '/v1/things/all', operation: ping },
  { method: 'POST', path: '/v1/upload', operation: readUpload, body: 'multipart', accept: acceptUpload },
];

/** The operations above use no part of the service. */
export const NO_SERVICE = {} as Service;

export interface LogLine {
  readonly level: string;
  readonly fields: Record<string, unknown>;
  readonly message: string;
}

/** A logger that remembers. */
export function rememberingLog(): { log: Logger; lines: LogLine[] } {
  const lines: LogLine[] = [];
  const at =
    (level: string) =>
    (fields: Record<string, unknown>, message: string): void => {
      lines.push({ level, fields, message });
    };
  const log = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') } as unknown as Logger;
  return { log, lines };
}

export interface Serving extends Listening {
  readonly lines: LogLine[];
  readonly config: Config;
}

/** The application on a free port, configured by environment variables. */
export async function serving(
  environment: Record<string, string> = {},
  more: {
    routes?: readonly Route[];
    hmacMaxAge?: number;
    clock?: () => number;
    drainMs?: number;
    limits?: Limits;
  } = {},
): Promise<Serving> {
  const config = loadConfig({ environment });
  const { log, lines } = rememberingLog();
  const { routes = ROUTES, drainMs = 2000, ...rest } = more;
  const app = createApp({ config, service: NO_SERVICE, routes, log, ...rest });
  const listening = await listen(app.callback(), { host: '127.0.0.1', port: 0, drainMs });
  return { ...listening, lines, config };
}

export async function post(url: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body),
  });
}

export async function json(response: Response): Promise<Record<string, unknown>> {
  return (await response.json()) as Record<string, unknown>;
}
