import type { ServerResponse } from 'node:http';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { SSEServerTransport } from '@modelcontextprotocol/server-legacy/sse';
import { Batches } from './batches.js';

/** The SDK's transport, which takes single messages only; here a batch is answered as one too. */
export class SseTransport extends SSEServerTransport {
  private readonly batches = new Batches();

  constructor(
    private readonly page: string,
    private readonly response: ServerResponse,
  ) {
    super(page, response);
  }

  /** Names where to post beside this page, not below the root of the host: a proxy may have cut off what comes before. */
  override start(): Promise<void> {
    const { response, page } = this;
    const { write } = response;
    response.write = ((text: string) =>
      write.call(response, text.replace(page, page.slice(1)), 'utf8')) as typeof write;
    const started = super.start();
    response.write = write;
    return started;
  }

  async batch(values: readonly unknown[]): Promise<void> {
    const { messages, reply } = this.batches.take(values);
    await this.reply(reply);
    for (const message of messages) await this.handleMessage(message);
  }

  override async handleMessage(...[message, extra]: Parameters<SSEServerTransport['handleMessage']>): Promise<void> {
    await this.reply(this.batches.cancelled(message as JSONRPCMessage));
    await super.handleMessage(message, extra);
  }

  override async send(message: JSONRPCMessage): Promise<void> {
    await this.reply(this.batches.answered(message));
  }

  private async reply(reply: unknown): Promise<void> {
    if (reply !== undefined) await super.send(reply as never);
  }
}
