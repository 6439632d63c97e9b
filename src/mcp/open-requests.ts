import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  type JSONRPCMessage,
  type RequestId,
} from '@modelcontextprotocol/server';

/** The requests of one connection that were read and have no answer yet. */
export class OpenRequests {
  private readonly ids = new Set<RequestId>();
  private waiting: Array<() => void> = [];

  /** Notes a message that was read: a request opens, and one that is cancelled gets no answer. */
  read(message: JSONRPCMessage): void {
    if (isJSONRPCRequest(message)) this.ids.add(message.id);
    else if (isJSONRPCNotification(message) && message.method === 'notifications/cancelled') {
      this.end(message.params?.requestId as RequestId);
    }
  }

  /** Notes a message that was sent. */
  sent(message: JSONRPCMessage): void {
    if (!('method' in message) && message.id !== undefined) this.end(message.id);
  }

  /** Resolves once each has its answer, or after so long. */
  async settled(patienceMs: number): Promise<void> {
    if (this.ids.size === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, patienceMs);
      this.waiting.push(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  private end(id: RequestId): void {
    this.ids.delete(id);
    if (this.ids.size === 0) for (const resolve of this.waiting.splice(0)) resolve();
  }
}
