import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { SSEServerTransport } from '@modelcontextprotocol/server-legacy/sse';
import { Batches } from './batches.js';

/** The SDK's transport, which takes single messages only; here a batch is answered as one too. */
export class SseTransport extends SSEServerTransport {
  private readonly batches = new Batches();

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
