import secureJson from 'secure-json-parse';
import { SvcError } from '../../core/errors.js';
import { JsonLimits } from './json-limits.js';

const decoder = new TextDecoder('utf-8', { fatal: true });

/** Parses a JSON object; anything else and `__proto__` members are `invalid_input`. */
export function parseJsonObject(body: string | Uint8Array): Record<string, unknown> {
  const text = typeof body === 'string' ? body : decodeUtf8(() => decoder.decode(body));
  if (text.trim() === '') throw new SvcError('invalid_input', 'The body is empty; send a JSON object.');
  const value = parseJson(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new SvcError('invalid_input', 'The body must be a JSON object.');
  }
  return value as Record<string, unknown>;
}

/** Parses JSON; throws `invalid_input` for a syntax error and for a member named `__proto__`. */
export function parseJson(text: string): unknown {
  try {
    return secureJson.parse(text, undefined, { protoAction: 'error', constructorAction: 'ignore' });
  } catch (cause) {
    if (cause instanceof Error && cause.message.includes('forbidden prototype')) {
      throw new SvcError('invalid_input', '__proto__ is not accepted as the name of a member; rename it.', {
        member: '__proto__',
      });
    }
    throw new SvcError('invalid_input', `The body is not valid JSON: ${reasonOf(cause)}.`, undefined, { cause });
  }
}

/** Passes chunks on; throws `invalid_input` at the first that is not UTF-8, `too_large` where there are too many members. */
export async function* requireJsonText(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const stream = new TextDecoder('utf-8', { fatal: true });
  const limits = new JsonLimits();
  for await (const chunk of chunks) {
    decodeUtf8(() => stream.decode(chunk, { stream: true }));
    limits.scan(chunk);
    yield chunk;
  }
  decodeUtf8(() => stream.decode());
}

function decodeUtf8(decode: () => string): string {
  try {
    return decode();
  } catch (cause) {
    throw new SvcError('invalid_input', 'The body is not valid UTF-8; send it in that encoding.', undefined, { cause });
  }
}

/** Returns the parser's complaint without the quoted input. */
function reasonOf(cause: unknown): string {
  const message = cause instanceof Error ? cause.message : 'it cannot be parsed';
  const position = /at position \d+(?: \(line \d+ column \d+\))?/.exec(message)?.[0];
  return position === undefined ? 'it ends too early or holds a stray character' : `unexpected character ${position}`;
}
