import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  type JSONRPCMessage,
  type RequestId,
} from '@modelcontextprotocol/server';
import { checkedMessage, isAnswer, type Refusal, requestRefusal } from './messages.js';

/** Messages of one batch. */
const MOST = 100;

type Answer = JSONRPCMessage | Refusal;

interface Batch {
  readonly answers: Answer[];
  readonly waiting: Set<RequestId>;
}

export interface BatchParts {
  /** Messages to hand on, one after the other. */
  readonly messages: readonly JSONRPCMessage[];
  /** What to answer at once; undefined where there is nothing, or the answers come later. */
  readonly reply: Answer | readonly Answer[] | undefined;
}

/**
 * Keeps together what belongs together on one connection: the messages of a batch are answered in one list, once each of
 * its requests is (JSON-RPC 2.0, section 6).
 */
export class Batches {
  private readonly open = new Map<RequestId, Batch>();

  /** Takes a batch up. */
  take(values: readonly unknown[]): BatchParts {
    if (values.length === 0) return { messages: [], reply: requestRefusal('the batch is empty.') };
    if (values.length > MOST)
      return { messages: [], reply: requestRefusal(`the batch holds more than ${MOST} messages; send them apart.`) };
    const batch: Batch = { answers: [], waiting: new Set() };
    const messages = values.flatMap((value) => this.part(batch, value));
    return { messages, reply: batch.waiting.size === 0 ? listed(batch) : undefined };
  }

  /**
   * Files an answer under its batch. Returns what to send: the answer itself where it is of no batch, all of the batch
   * with the last one, nothing before.
   */
  answered(message: JSONRPCMessage): Answer | readonly Answer[] | undefined {
    const { id } = message as { readonly id?: RequestId };
    const batch = id === undefined || 'method' in message ? undefined : this.open.get(id);
    if (batch === undefined) return message;
    batch.answers.push(message);
    return this.settle(batch, id!);
  }

  /** Notes that a caller cancels a request, which gets no answer then. Returns what that leaves to send. */
  cancelled(message: JSONRPCMessage): readonly Answer[] | undefined {
    if (!isJSONRPCNotification(message) || message.method !== 'notifications/cancelled') return undefined;
    const id = message.params?.requestId as RequestId;
    const batch = this.open.get(id);
    return batch === undefined ? undefined : this.settle(batch, id);
  }

  private part(batch: Batch, value: unknown): readonly JSONRPCMessage[] {
    const checked = checkedMessage(value);
    if ('refusal' in checked) {
      if (!isAnswer(value)) batch.answers.push(checked.refusal);
      return [];
    }
    const { message } = checked;
    if (!isJSONRPCRequest(message)) return [message];
    const { id, method } = message;
    if (method === 'initialize' || this.open.has(id)) {
      const reason = method === 'initialize' ? 'initialize stands alone.' : 'the id is of another open request.';
      batch.answers.push(requestRefusal(reason, message));
      return [];
    }
    this.open.set(id, batch);
    batch.waiting.add(id);
    return [message];
  }

  private settle(batch: Batch, id: RequestId): readonly Answer[] | undefined {
    this.open.delete(id);
    batch.waiting.delete(id);
    return batch.waiting.size === 0 ? listed(batch) : undefined;
  }
}

/** Returns the answers of a batch; a batch that asks nothing gets none. */
function listed({ answers }: Batch): readonly Answer[] | undefined {
  return answers.length === 0 ? undefined : answers;
}
