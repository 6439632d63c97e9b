import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { NodeStreamableHTTPServerTransport, toNodeHandler, toWebRequest } from '@modelcontextprotocol/node';
import { createMcpHandler, isLegacyRequest, type McpHttpHandler } from '@modelcontextprotocol/server';
import { currentCaller } from '../core/async/caller-scope.js';
import { bodyRefusal, type Refusal } from './messages.js';
import { type ToolServerOptions, toolServer } from './tool-server.js';

const IDLE_MS = 30 * 60 * 1000;
const MOST_SESSIONS = 1000;

interface Session {
  /** Who opened it: a session is nobody else's. */
  readonly owner: string | undefined;
  readonly transport: NodeStreamableHTTPServerTransport;
  used: number;
  /** Calls that are not answered yet: a session with some is never idle. */
  open: number;
}

/**
 * Streamable HTTP on one path: clients of the 2025 revisions get a session (so that they can cancel and receive
 * progress), clients of the stateless revision of July 2026 none. The caller has checked authentication, Host and Origin.
 */
export class StreamableTools {
  private readonly sessions = new Map<string, Session>();
  private readonly stateless: McpHttpHandler;
  private readonly sweep: NodeJS.Timeout;

  constructor(private readonly options: ToolServerOptions) {
    this.stateless = createMcpHandler(() => toolServer(options), { legacy: 'reject' });
    this.sweep = setInterval(() => this.dropIdle(), 60_000);
    this.sweep.unref();
  }

  /** Answers one request; `body` is the JSON that was read already, undefined for GET and DELETE. */
  async handle(request: IncomingMessage, response: ServerResponse, body: unknown): Promise<void> {
    const refusal = body === undefined ? undefined : bodyRefusal(body);
    if (refusal !== undefined) return answer(response, 400, refusal);
    const id = request.headers['mcp-session-id'];
    const known = typeof id === 'string' ? this.ownSession(id) : undefined;
    if (known !== undefined) {
      if (request.method === 'POST') use(known, response);
      else known.used = Date.now();
      await known.transport.handleRequest(request, response, body);
      return;
    }
    if (typeof id !== 'string' && request.method !== 'POST') {
      refuse(response, 405, 'Without a session only POST is allowed; initialize one to listen or to end it.');
      return;
    }
    const legacy = await isLegacyRequest(await toWebRequest(request as never, standIn(body)), body);
    if (!legacy) {
      await this.answerStateless(request, response, body);
      return;
    }
    if (isInitialize(body)) {
      await (await this.openSession()).handleRequest(request, response, body);
      return;
    }
    // A session that has ended, or somebody else's; a client without one is served statelessly.
    if (typeof id === 'string') {
      refuse(response, 404, 'Session not found');
      return;
    }
    const transport = new NodeStreamableHTTPServerTransport({ sessionIdGenerator: undefined });
    await toolServer(this.options).connect(transport);
    await transport.handleRequest(request, response, body);
  }

  async close(): Promise<void> {
    clearInterval(this.sweep);
    await Promise.all([...this.sessions.values()].map((session) => session.transport.close()));
    this.sessions.clear();
  }

  private async answerStateless(request: IncomingMessage, response: ServerResponse, body: unknown): Promise<void> {
    const { stateless } = this;
    const handle = toNodeHandler({
      fetch: (web, given) => stateless.fetch(web, { ...given, ...(body === undefined ? {} : { parsedBody: body }) }),
    });
    await handle(request as never, response as never, standIn(body));
  }

  private ownSession(id: string): Session | undefined {
    const session = this.sessions.get(id);
    return session?.owner === currentCaller()?.id ? session : undefined;
  }

  private async openSession(): Promise<NodeStreamableHTTPServerTransport> {
    if (this.sessions.size >= MOST_SESSIONS) this.dropOldest();
    const owner = currentCaller()?.id;
    const transport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => {
        this.sessions.set(id, { owner, transport, used: Date.now(), open: 0 });
      },
      onsessionclosed: (id) => {
        this.sessions.delete(id);
      },
    });
    await toolServer(this.options).connect(transport);
    return transport;
  }

  /** Ends sessions that were not used for half an hour. */
  dropIdle(now = Date.now()): void {
    const limit = now - IDLE_MS;
    for (const [id, session] of this.sessions) if (session.open === 0 && session.used < limit) this.drop(id, session);
  }

  private dropOldest(): void {
    const idle = [...this.sessions].filter(([, session]) => session.open === 0);
    const [oldest] = idle.sort(([, a], [, b]) => a.used - b.used);
    if (oldest !== undefined) this.drop(...oldest);
  }

  private drop(id: string, session: Session): void {
    this.sessions.delete(id);
    void session.transport.close().catch(() => undefined);
  }
}

/**
 * Refuses a request in the protocol's form: 405 for a stream or an end without a session (the specification knows this or
 * a stream, and one that nobody can send to would only be held open), 404 for an unknown session.
 */
function refuse(response: ServerResponse, status: 404 | 405, message: string): void {
  const code = status === 404 ? -32001 : -32000;
  if (status === 405) response.setHeader('allow', 'POST');
  answer(response, status, { jsonrpc: '2.0', error: { code, message }, id: null });
}

function answer(response: ServerResponse, status: number, body: Refusal): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

/** Counts a call until it is answered, however long that takes. */
function use(session: Session, response: ServerResponse): void {
  session.open += 1;
  session.used = Date.now();
  response.once('close', () => {
    session.open -= 1;
    session.used = Date.now();
  });
}

/**
 * Returns what stands for a body that was parsed: the adapter writes what it is given as JSON again, in one step, although
 * nothing reads that text where the parsed body is given too. The id goes into its error answers.
 */
function standIn(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body === undefined ? undefined : {};
  const { id, method } = body as { readonly id?: unknown; readonly method?: unknown };
  return isShort(id) && isShort(method) ? { id, method } : {};
}

function isShort(value: unknown): boolean {
  return typeof value === 'number' || (typeof value === 'string' && value.length <= 200);
}

function isInitialize(body: unknown): boolean {
  return typeof body === 'object' && body !== null && (body as { method?: unknown }).method === 'initialize';
}
