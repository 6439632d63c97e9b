import { pipeline, type Readable, type Writable } from 'node:stream';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { Batches } from './batches.js';
import { Lines } from './lines.js';
import { checkedMessage, isAnswer, parseRefusal } from './messages.js';
import { OpenRequests } from './open-requests.js';

/** How long requests that were read may go on after the input has ended, as for those of a server that is stopped. */
const PATIENCE_MS = 10_000;

/**
 * The SDK's transport, which drops what is no single message: here a batch is answered as one, and so is what is no
 * JSON or no message. It also ends with its input; here the requests that were read are answered first.
 */
export class StdioTransport extends StdioServerTransport {
  private readonly lines: Lines;
  private readonly batches = new Batches();
  private readonly requests = new OpenRequests();
  /** Resolves when nothing more is read or answered. */
  readonly ended: Promise<void>;

  constructor(
    private readonly input: Readable,
    stdout: Writable,
  ) {
    const lines = new Lines(
      (line) => this.read(line),
      () => this.requests.settled(PATIENCE_MS),
    );
    super(lines, stdout);
    this.lines = lines;
    this.ended = new Promise((resolve) => lines.once('close', resolve));
    // A failing input ends the transport through `lines`.
    pipeline(input, lines, () => undefined);
  }

  override async send(message: JSONRPCMessage): Promise<void> {
    await this.reply(this.batches.answered(message));
    this.requests.sent(message);
  }

  /** Reads nothing more; the transport ends once what was read is answered. */
  finish(): void {
    this.input.unpipe(this.lines);
    this.input.pause();
    this.lines.end();
  }

  override async close(): Promise<void> {
    await super.close();
    this.lines.destroy();
  }

  /** Returns the lines that the SDK reads in place of one that came. */
  private read(line: string): readonly string[] {
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      this.answer(parseRefusal('the line is not JSON.'));
      return [];
    }
    if (Array.isArray(value)) {
      const { messages, reply } = this.batches.take(value);
      this.answer(reply);
      for (const message of messages) this.answer(this.batches.cancelled(message));
      for (const message of messages) this.requests.read(message);
      return messages.map((message) => JSON.stringify(message));
    }
    const checked = checkedMessage(value);
    if ('message' in checked) {
      this.answer(this.batches.cancelled(checked.message));
      this.requests.read(checked.message);
      return [line];
    }
    if (!isAnswer(value)) this.answer(checked.refusal);
    return [];
  }

  private answer(reply: unknown): void {
    this.reply(reply).catch((error: Error) => this.onerror?.(error));
  }

  private async reply(reply: unknown): Promise<void> {
    if (reply !== undefined) await super.send(reply as JSONRPCMessage);
  }
}
