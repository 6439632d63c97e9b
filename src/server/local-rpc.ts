import { randomBytes } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { context, propagation } from '@opentelemetry/api';
import { errorBody, SvcError, statusOf, toSvcError } from '../core/errors.js';
import { isKnownKey, sha256 } from '../core/hmac.js';
import { invoke } from '../operations/invoke.js';
import type { CallContext, Operation } from '../operations/operation.js';
import type { Service } from '../service.js';
import { parseJsonObject } from './body/json.js';
import { receive } from './body/receive.js';

export const LOCAL_RPC_PATH = '/internal/call';
const LIMIT = 256 * 1024 * 1024;
const HEARTBEAT_MS = 20_000;

/** What a service answers to the name of no operation. Command lines of later releases read it: it stays as it is. */
export function noOperation(name: string): string {
  return `operation ${name} does not exist.`;
}

/** Returns the name by which an operation is called that must know this member: `name?member`. A service of a release without either has none of that name. */
export function requiring(name: string, member: string): string {
  return `${name}?${member}`;
}

/** Makes a token that only the owner of the data directory can read. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/**
 * Serves other commands on the same data directory: `POST /internal/call {operation, input, surface}` with the
 * token, on a loopback port of its own. Answers lines of JSON: `{progress}` while it works, then `{output}` or an
 * error. The caller counts as local, with the caller's own permissions on files.
 */
export function localRpcHandler(
  service: Service,
  operations: Readonly<Record<string, Operation>>,
  token: string,
): RequestListener {
  const digests = [sha256(token)];
  return (request, response) => {
    void answer(request, response).catch(() => response.destroy());
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const presented = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1];
      if (presented === undefined || !isKnownKey(presented, digests)) {
        throw new SvcError('unauthorized', 'The token of the data directory is needed.');
      }
      if (request.method !== 'POST' || request.url !== LOCAL_RPC_PATH) {
        throw new SvcError('not_found', `Only POST ${LOCAL_RPC_PATH} is served here.`);
      }
      await run(request, response);
    } catch (thrown) {
      const error = toSvcError(thrown);
      if (!response.headersSent) response.writeHead(statusOf(error.code), { 'Content-Type': 'application/x-ndjson' });
      response.end(`${JSON.stringify(errorBody(error))}\n`);
    }
  }

  async function run(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const raw = await receive(request, { limit: LIMIT, spool: false });
    const call = await parseJsonObject(raw.kind === 'bytes' ? raw.bytes : Buffer.alloc(0));
    const called = String(call.operation);
    const [name = '', member] = called.split('?');
    const operation = Object.hasOwn(operations, name) ? operations[name] : undefined;
    if (operation === undefined || (member !== undefined && !Object.hasOwn(operation.input.properties ?? {}, member)))
      throw new SvcError('invalid_input', noOperation(called));

    const disconnected = new AbortController();
    response.once('close', () => disconnected.abort());
    response.writeHead(200, { 'Content-Type': 'application/x-ndjson' });
    response.flushHeaders();
    const heartbeat = setInterval(() => response.write('\n'), HEARTBEAT_MS);
    try {
      const parent = propagation.extract(context.active(), call.trace ?? {});
      const output = await context.with(parent, () =>
        invoke(service, operation, call.input ?? {}, {
          surface: surfaceOf(call.surface),
          authenticated: call.authenticated !== false,
          signal: disconnected.signal,
          progress: (done, total, message) =>
            response.write(`${JSON.stringify({ progress: { done, total, message } })}\n`),
        }),
      );
      response.end(`${JSON.stringify({ output })}\n`);
    } finally {
      clearInterval(heartbeat);
    }
  }
}

function surfaceOf(value: unknown): CallContext['surface'] {
  return value === 'tool' || value === 'client' || value === 'cli' ? value : 'internal';
}
