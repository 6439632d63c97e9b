import {
  type JSONRPCMessage,
  ProtocolErrorCode,
  parseJSONRPCMessage,
  type RequestId,
} from '@modelcontextprotocol/server';

/** The answer to something that is no message of JSON-RPC 2.0. */
export interface Refusal {
  readonly jsonrpc: '2.0';
  readonly id: RequestId | null;
  readonly error: { readonly code: number; readonly message: string };
}

/** A message, or the answer to what is none. */
export type Checked = { readonly message: JSONRPCMessage } | { readonly refusal: Refusal };

/** Returns the answer to a text that is not JSON. */
export function parseRefusal(reason: string): Refusal {
  return { jsonrpc: '2.0', id: null, error: { code: ProtocolErrorCode.ParseError, message: `Parse error: ${reason}` } };
}

/** Returns the answer to JSON that is no message, under the id that it names where it names one. */
export function requestRefusal(reason: string, value?: unknown): Refusal {
  const message = `Invalid Request: ${reason}`;
  return { jsonrpc: '2.0', id: idOf(value), error: { code: ProtocolErrorCode.InvalidRequest, message } };
}

/** Returns one value as the message that it is, or the answer that it gets. */
export function checkedMessage(value: unknown): Checked {
  try {
    return { message: parseJSONRPCMessage(value) };
  } catch {
    const sentence = 'a message is an object with jsonrpc "2.0" and a method, and an id where it is to be answered.';
    return { refusal: requestRefusal(sentence, value) };
  }
}

/** Returns whether a value answers something: a broken one is not answered again, which could go on for ever. */
export function isAnswer(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !('method' in value) && ('result' in value || 'error' in value);
}

/** Returns the answer to a body that is neither a message nor a batch of messages; undefined where it is one. */
export function bodyRefusal(body: unknown): Refusal | undefined {
  if (!Array.isArray(body)) return refusalOf(body);
  if (body.length === 0) return requestRefusal('the batch is empty.');
  const at = body.findIndex((value) => refusalOf(value) !== undefined);
  return at < 0 ? undefined : requestRefusal(`the batch holds no message at place ${at + 1}.`);
}

function refusalOf(value: unknown): Refusal | undefined {
  const checked = checkedMessage(value);
  return 'refusal' in checked ? checked.refusal : undefined;
}

function idOf(value: unknown): RequestId | null {
  const id = (value as { readonly id?: unknown } | null | undefined)?.id;
  return typeof id === 'string' || Number.isInteger(id) ? (id as RequestId) : null;
}
