import secureJson from 'secure-json-parse';
import { SvcError } from '../../core/errors.js';

const MAX_DEPTH = 100;
const decoder = new TextDecoder('utf-8', { fatal: true });

/** Parses a JSON object; anything else, absurd nesting and `__proto__` members are `invalid_input`. */
export function parseJsonObject(body: string | Uint8Array): Record<string, unknown> {
  const text = typeof body === 'string' ? body : decodeUtf8(() => decoder.decode(body));
  if (text.trim() === '') throw new SvcError('invalid_input', 'The body is empty; send a JSON object.');
  const value = parseJson(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new SvcError('invalid_input', 'The body must be a JSON object.');
  }
  requireShallow(value);
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

/** Passes chunks on; throws `invalid_input` at the first that is not UTF-8. */
export async function* requireUtf8(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const stream = new TextDecoder('utf-8', { fatal: true });
  for await (const chunk of chunks) {
    decodeUtf8(() => stream.decode(chunk, { stream: true }));
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

/** Throws `invalid_input` for absurd nesting. Goes level by level, so that it costs no stack. */
export function requireShallow(value: object): void {
  let level: object[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) {
      throw new SvcError('invalid_input', `The body is nested deeper than ${MAX_DEPTH} levels; flatten it.`);
    }
    const next: object[] = [];
    for (const parent of level) {
      for (const child of Object.values(parent)) {
        if (typeof child === 'object' && child !== null) next.push(child);
      }
    }
    level = next;
  }
}
