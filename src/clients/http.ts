import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { Agent, request as send } from 'undici';
import { renamedMember, SvcError } from '../core/errors.js';
import { signRequest } from '../core/hmac.js';
import { checkedList, errorOf, parsed, unreachable, withDerivation } from './answers.js';
import { checkCancelled, clientClosed } from './closed.js';
import { checkedOptions, checkFinite, checkKey, checkSignal, checkText } from './given.js';
import { multipartBody } from './multipart.js';
import type {
  CallOptions,
  ClientDomain,
  ClientQueryResult,
  ExploreResult,
  KnowledgeClient,
  QueryOptions,
  RulesOptions,
  RulesResult,
} from './protocol.js';
import { Attempt, retried } from './retry.js';

export interface HttpClientOptions {
  /** Sent as `Authorization: Bearer`. */
  readonly api_key?: string;
  /** Signs every request, with a nonce. */
  readonly hmac_secret?: string;
  /** Seconds a call may take, retries included, above 0; default 30. */
  readonly timeout?: number;
  /** The service's name where it was renamed: prefix of the signature headers; default `svc`. */
  readonly name?: string;
  /** Attempts in all for calls that may be repeated; default 4. */
  readonly attempts?: number;
}

interface HttpCall {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | readonly string[] | null | undefined>>;
  readonly json?: unknown;
  readonly body?: { readonly bytes: Buffer; readonly type: string };
  /** True where doing it twice does no more than once. */
  readonly idempotent: boolean;
}

/** Milliseconds that a timer can wait. */
const LONGEST = 2 ** 31 - 1;

/** Talks to variant B of a running service. Connections are pooled; close it when done. */
export class HttpClient implements KnowledgeClient {
  private readonly agent: Agent;
  private readonly base: string;
  private closed = false;

  /** `baseAddress`: where variant B listens, for example `http://127.0.0.1:8741`; with or without its `/api/v1`. */
  constructor(
    baseAddress: string,
    private readonly options: HttpClientOptions = {},
  ) {
    let url: URL;
    try {
      url = new URL(baseAddress);
    } catch {
      throw new SvcError('invalid_input', 'The base address must be a URL such as http://127.0.0.1:8741.');
    }
    if (url.protocol !== 'http:' && url.protocol !== 'https:')
      throw new SvcError('invalid_input', 'The base address must begin with http:// or https://.');
    const { timeout = 30, attempts = 4 } = options;
    if (!(typeof timeout === 'number' && timeout > 0)) {
      throw new SvcError('invalid_input', 'timeout must be a number of seconds above 0.', { member: 'timeout' });
    }
    if (!Number.isInteger(attempts) || attempts < 1) {
      throw new SvcError('invalid_input', 'attempts must be a whole number from 1 on.', { member: 'attempts' });
    }
    if (options.api_key !== undefined) checkKey(options.api_key);
    this.base = `${url.origin}${url.pathname.replace(/\/+$/, '').replace(/\/api\/v1$/, '')}`;
    // Each call has a deadline of its own.
    this.agent = new Agent({
      connections: 16,
      keepAliveTimeout: 30_000,
      connectTimeout: 10_000,
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  async query(context: string, options: QueryOptions = {}): Promise<ClientQueryResult> {
    const { domains, top_k, min_confidence }: QueryOptions = checkedOptions(options);
    const body = { context, domains, top_k: top_k ?? 10, min_confidence: min_confidence ?? 0 };
    // JSON has no such numbers: it would send null, which counts as absent.
    checkFinite({ top_k, min_confidence });
    const call: HttpCall = { method: 'POST', path: '/api/v1/query', json: body, idempotent: true };
    return withDerivation((await this.call(call, options)) as ClientQueryResult);
  }

  async explore(nodeId: string, depth: number | null = 1, options: CallOptions = {}): Promise<ExploreResult | null> {
    checkText(nodeId, 'node_id');
    // An address has no such step in it; no node has such an id.
    if (nodeId === '.' || nodeId === '..') return null;
    const path = `/api/v1/explore/${encodeURIComponent(nodeId)}`;
    try {
      const found = await this.call({ method: 'GET', path, query: { depth }, idempotent: true }, options);
      return withDerivation(found as ExploreResult);
    } catch (error) {
      if (error instanceof SvcError && error.code === 'node_not_found') return null;
      throw error;
    }
  }

  async rules(options: RulesOptions = {}): Promise<RulesResult> {
    const { domains, concept_ids, categories, limit, offset }: RulesOptions = checkedOptions(options);
    const query = { domains, concept_ids, categories, limit, offset };
    const found = await this.call({ method: 'GET', path: '/api/v1/rules', query, idempotent: true }, options);
    return withDerivation(found as RulesResult);
  }

  async feedback(
    queryId: string,
    outcomes: Readonly<Record<string, string>>,
    source: string | null = 'unknown',
    options: CallOptions = {},
  ): Promise<void> {
    // The same feedback again replaces itself, so it may be repeated.
    const json = { query_id: queryId, outcomes, source: source ?? 'unknown' };
    await this.call({ method: 'POST', path: '/api/v1/feedback', json, idempotent: true }, options);
  }

  async status(options: CallOptions = {}): Promise<Record<string, unknown>> {
    const call: HttpCall = { method: 'GET', path: '/api/v1/status', idempotent: true };
    return (await this.call(call, options)) as Record<string, unknown>;
  }

  async domains(options: CallOptions = {}): Promise<ClientDomain[]> {
    const found = await this.call({ method: 'GET', path: '/api/v1/domains', idempotent: true }, options);
    return checkedList(found) as ClientDomain[];
  }

  async ingest(sourcePath: string, domain: string, options: CallOptions = {}): Promise<Record<string, unknown>> {
    checkText(sourcePath, 'source_path');
    checkText(domain, 'domain');
    const info = await stat(sourcePath).catch(() => null);
    if (info === null)
      throw new SvcError('not_found', `source_path ${sourcePath} names no file; check the path.`, {
        member: 'source_path',
      });
    if (!info.isFile())
      throw new SvcError('invalid_input', `source_path ${sourcePath} is not a file.`, { member: 'source_path' });
    const body = await multipartBody({ file: { path: sourcePath, name: basename(sourcePath) }, fields: { domain } });
    try {
      const result = await this.call({ method: 'POST', path: '/api/v1/ingest', body, idempotent: true }, options);
      return result as Record<string, unknown>;
    } catch (error) {
      // The caller gave a path, not a form.
      throw renamedMember(error, { file: 'source_path' });
    }
  }

  /** Ends the connections once what is under way is answered; every later call is refused with `conflict`. */
  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    await this.agent.close();
  }

  private async call(call: HttpCall, options: CallOptions): Promise<unknown> {
    const { signal }: CallOptions = checkedOptions(options);
    if (this.closed) throw clientClosed();
    checkSignal(signal);
    checkCancelled(signal);
    const seconds = this.options.timeout ?? 30;
    const deadline = performance.now() + seconds * 1000;
    return retried(() => this.once(call, { deadline, signal }), {
      deadline,
      signal,
      attempts: call.idempotent ? (this.options.attempts ?? 4) : 1,
    });
  }

  private async once(
    call: HttpCall,
    { deadline, signal }: { readonly deadline: number; readonly signal: AbortSignal | undefined },
  ): Promise<unknown> {
    const target = `${new URL(this.base).pathname.replace(/\/$/, '')}${call.path}${queryString(call.query)}`;
    const bytes =
      call.body?.bytes ?? (call.json === undefined ? Buffer.alloc(0) : Buffer.from(JSON.stringify(call.json)));
    const type = call.body?.type ?? (call.json === undefined ? undefined : 'application/json');
    const headers: Record<string, string> = {
      accept: 'application/json',
      ...(type === undefined ? {} : { 'content-type': type }),
      ...this.credentials(call.method, target, bytes),
    };
    const left = Math.min(LONGEST, Math.max(1, Math.ceil(deadline - performance.now())));
    const timeout = AbortSignal.timeout(left);
    try {
      const answer = await send(`${new URL(this.base).origin}${target}`, {
        method: call.method,
        headers,
        body: bytes.length === 0 ? null : bytes,
        dispatcher: this.agent,
        signal: signal === undefined ? timeout : AbortSignal.any([timeout, signal]),
      });
      const text = await answer.body.text();
      if (answer.statusCode < 400) return parsed(text, answer.statusCode);
      const after = Number(answer.headers['retry-after']);
      const retryAfter = Number.isFinite(after) ? after : undefined;
      const error = errorOf(answer.statusCode, text, retryAfter);
      return new Attempt(error, error.retriable, retryAfter);
    } catch (cause) {
      checkCancelled(signal);
      return unreachable(cause, this.options.timeout ?? 30);
    }
  }

  private credentials(method: string, target: string, body: Buffer): Record<string, string> {
    const { api_key, hmac_secret, name = 'svc' } = this.options;
    const headers: Record<string, string> = {};
    if (api_key !== undefined) headers.authorization = `Bearer ${api_key}`;
    if (hmac_secret !== undefined) {
      const timestamp = String(Math.floor(Date.now() / 1000));
      const nonce = crypto.randomUUID();
      headers[`x-${name}-timestamp`] = timestamp;
      headers[`x-${name}-nonce`] = nonce;
      headers[`x-${name}-signature`] = signRequest(hmac_secret, { timestamp, nonce, method, target }, body);
    }
    return headers;
  }
}

function queryString(query: HttpCall['query']): string {
  if (query === undefined) return '';
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null) continue;
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    for (const one of values) parameters.append(name, String(one));
    // A lone value is split at its commas; of several none is. Twice is the same filter.
    if (Array.isArray(value) && values.length === 1 && String(values[0]).includes(',')) {
      parameters.append(name, String(values[0]));
    }
  }
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}
