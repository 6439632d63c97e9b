import { setTimeout as sleep } from 'node:timers/promises';
import { context, propagation } from '@opentelemetry/api';
import { SvcError } from '../core/errors.js';
import { unreachableSentence } from '../core/wording/unknown-host.js';

export interface PostOptions {
  readonly url: URL;
  /** What errors call the server, for example `embedding server`. */
  readonly server: string;
  /** Prefix of the settings that errors name, for example `SVC_EMBEDDING`. */
  readonly setting: string;
  /** Sent as a bearer token, unless `keyHeader` names a header of its own; never part of an error. */
  readonly key?: string | undefined;
  readonly keyHeader?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Milliseconds for one attempt. */
  readonly timeout: number;
  /** Attempts in all. */
  readonly attempts: number;
  /** Statuses after which another attempt may succeed; default 429, 503, 529. */
  readonly retried?: ReadonlySet<number> | undefined;
  readonly signal?: AbortSignal | undefined;
}

const FIRST_WAIT = 250;
const LONGEST_WAIT = 20_000;
const RETRIED = new Set([429, 503, 529]);

/**
 * Posts JSON and reads JSON; waits and tries again on 429, 503 and 529 (Retry-After counts, else doubling waits). A
 * Retry-After above 20 s ends the attempts at once. Throws `unavailable` with the host and what to do, never with the
 * key; an abort throws the signal's reason.
 */
export async function postJson(body: unknown, options: PostOptions): Promise<unknown> {
  for (let attempt = 1; ; attempt += 1) {
    const response = await send(body, options);
    if (response.ok) return readJson(response, options);
    if (!isRetried(response.status, options) || attempt >= options.attempts) throw await refusal(response, options);
    const wait = waitFor(response, attempt);
    if (wait > LONGEST_WAIT) throw await refusal(response, options, wait);
    await response.body?.cancel();
    await sleep(wait, undefined, { signal: options.signal }).catch(() => {
      options.signal?.throwIfAborted();
    });
  }
}

function isRetried(status: number, { retried = RETRIED }: PostOptions): boolean {
  return retried.has(status);
}

async function send(body: unknown, options: PostOptions): Promise<Response> {
  options.signal?.throwIfAborted();
  const timeout = AbortSignal.timeout(options.timeout);
  try {
    return await fetch(options.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...traceHeaders(),
        ...options.headers,
        ...credentials(options),
      },
      body: JSON.stringify(body),
      redirect: 'error',
      signal: options.signal === undefined ? timeout : AbortSignal.any([options.signal, timeout]),
    });
  } catch (error) {
    throw broken(error, options);
  }
}

/** Returns the W3C trace context of what runs, for the server that is called; nothing while tracing is off. */
export function traceHeaders(): Record<string, string> {
  const headers: Record<string, string> = {};
  propagation.inject(context.active(), headers);
  return headers;
}

function credentials({ key, keyHeader }: PostOptions): Record<string, string> {
  if (key === undefined) return {};
  return keyHeader === undefined ? { authorization: `Bearer ${key}` } : { [keyHeader]: key };
}

async function readJson(response: Response, options: PostOptions): Promise<unknown> {
  try {
    return await response.json();
  } catch (error) {
    if (error instanceof SyntaxError) {
      throw unavailable(`${server(options)} does not answer in JSON; check ${options.setting}_URL.`, { cause: error });
    }
    throw broken(error, options);
  }
}

/** Returns the error for an answer that did not come: cancelled by the caller, timed out, or no connection. */
function broken(error: unknown, options: PostOptions): unknown {
  if (options.signal?.aborted) return options.signal.reason;
  const timedOut = error instanceof DOMException && error.name === 'TimeoutError';
  const what = timedOut ? `did not answer within ${options.timeout / 1000} s` : 'cannot be reached';
  const sentence = unreachableSentence(error, {
    server: server(options),
    setting: `${options.setting}_URL`,
    otherwise: `${server(options)} ${what}; check that it runs and ${options.setting}_URL.`,
  });
  return unavailable(sentence, { cause: error, retriable: true });
}

async function refusal(response: Response, options: PostOptions, wait?: number): Promise<SvcError> {
  const { status } = response;
  if (status === 401 || status === 403) {
    await response.body?.cancel();
    return unavailable(`${server(options)} refuses the key; check ${options.setting}_KEY.`);
  }
  const detail = await reason(response, options);
  if (isRetried(status, options)) {
    const what = status === 429 ? 'is overloaded' : 'is overloaded or failing';
    const when = wait === undefined ? 'later' : `again in ${Math.ceil(wait / 1000)} s, as it asks`;
    return unavailable(`${server(options)} ${what} (${status}${detail}); try ${when}.`, { retriable: true });
  }
  return unavailable(
    `${server(options)} refused the request (${status}${detail}); check ${options.setting}_URL and _MODEL.`,
  );
}

/** Returns the server's own message, in at most 200 characters and without the key. */
async function reason(response: Response, { key }: PostOptions): Promise<string> {
  const body = (await response.json().catch(() => undefined)) as { error?: string | { message?: unknown } } | undefined;
  const error = typeof body?.error === 'object' ? body.error?.message : body?.error;
  if (typeof error !== 'string') return '';
  const clean = key === undefined ? error : error.replaceAll(key, '…');
  return `: ${clean.slice(0, 200)}`;
}

/** Returns the milliseconds that the server asks for, be they ever so many; else doubling waits up to the longest. */
function waitFor(response: Response, attempt: number): number {
  const requested = retryAfter(response.headers.get('retry-after') ?? '');
  if (Number.isFinite(requested)) return Math.max(requested, 0);
  return Math.min(FIRST_WAIT * 2 ** (attempt - 1), LONGEST_WAIT);
}

/** Returns the milliseconds of a Retry-After header, which holds seconds or a date; NaN where it holds neither. */
function retryAfter(header: string): number {
  return /^\s*\d+(?:\.\d+)?\s*$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
}

function server({ url, server: name }: PostOptions): string {
  return `The ${name} at ${url.host}`;
}

function unavailable(message: string, options: { cause?: unknown; retriable?: boolean } = {}): SvcError {
  return new SvcError('unavailable', message, undefined, options);
}
