import type { IncomingMessage, ServerResponse } from 'node:http';
import { currentCaller } from '../core/async/caller-scope.js';
import { SvcError } from '../core/errors.js';
import { bodyRefusal } from './messages.js';
import { SseTransport } from './sse-transport.js';
import { type ToolServerOptions, toolServer } from './tool-server.js';

/** Streams that are open at once, each a connection with a tool server of its own. */
const MOST_STREAMS = 1000;

/** The two-endpoint transport of 2024: `GET /sse` opens a stream, `POST /messages?sessionId=…` sends to it. */
export class SseTools {
  /** Open streams, and who opened each: nobody else sends to it. */
  private readonly streams = new Map<
    string,
    { readonly transport: SseTransport; readonly owner: string | undefined }
  >();

  constructor(
    private readonly options: ToolServerOptions,
    private readonly most = MOST_STREAMS,
  ) {}

  /** Throws `unavailable` where no further stream may open. */
  requireRoom(): void {
    if (this.streams.size < this.most) return;
    const sentence = `${this.most} streams are open; close some, or use /mcp, which needs none.`;
    throw new SvcError('unavailable', sentence, undefined, { retriable: true, retryAfter: 10 });
  }

  async open(response: ServerResponse): Promise<void> {
    // Who has gone while the request waited would be counted for ever: a second end is not told.
    if (response.destroyed) return;
    const transport = new SseTransport('/messages', response);
    this.streams.set(transport.sessionId, { transport, owner: currentCaller()?.id });
    response.once('close', () => this.streams.delete(transport.sessionId));
    await toolServer(this.options).connect(transport as never);
  }

  /** Returns true where the request's `sessionId` names an open stream. */
  knows(request: IncomingMessage): boolean {
    return this.streamOf(request) !== undefined;
  }

  /** Takes a message, or a batch of them; what is neither is answered here. Answers to requests come on the stream. */
  async message(request: IncomingMessage, response: ServerResponse, body: unknown): Promise<void> {
    const stream = this.streamOf(request);
    const refusal = bodyRefusal(body);
    if (refusal !== undefined) {
      response.writeHead(400, { 'content-type': 'application/json' });
      response.end(JSON.stringify(refusal));
    } else if (Array.isArray(body)) {
      await stream?.batch(body);
      response.writeHead(202).end('Accepted');
    } else await stream?.handlePostMessage(request as never, response, body);
  }

  private streamOf(request: IncomingMessage): SseTransport | undefined {
    const id = new URL(request.url ?? '/', 'http://localhost').searchParams.get('sessionId');
    const stream = id === null ? undefined : this.streams.get(id);
    return stream?.owner === currentCaller()?.id ? stream?.transport : undefined;
  }

  async close(): Promise<void> {
    await Promise.all([...this.streams.values()].map(({ transport }) => transport.close()));
    this.streams.clear();
  }
}
