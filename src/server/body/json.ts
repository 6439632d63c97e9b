import { SvcError } from '../../core/errors.js';

const MAX_DEPTH = 100;
const decoder = new TextDecoder('utf-8', { fatal: true });
/** `"__proto__":` with any of its letters written as an escape. */
const PROTO =
  /"(?:_|\\u005[fF]){2}(?:p|\\u0070)(?:r|\\u0072)(?:o|\\u006[fF])(?:t|\\u0074)(?:o|\\u006[fF])(?:_|\\u005[fF]){2}"\s*:/;

/** A JSON object from bytes; anything else, bad UTF-8, absurd nesting and `__proto__` members are `invalid_input`. */
export function parseJsonObject(bytes: Uint8Array): Record<string, unknown> {
  const text = decodedText(bytes);
  if (text.trim() === '') throw new SvcError('invalid_input', 'The body is empty; send a JSON object.');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new SvcError('invalid_input', `The body is not valid JSON: ${reasonOf(cause)}.`, undefined, { cause });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new SvcError('invalid_input', 'The body must be a JSON object.');
  }
  if (PROTO.test(text)) {
    throw new SvcError('invalid_input', '__proto__ is not accepted as the name of a member; rename it.', {
      member: '__proto__',
    });
  }
  requireShallow(value);
  return value as Record<string, unknown>;
}

function decodedText(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch (cause) {
    throw new SvcError('invalid_input', 'The body is not valid UTF-8; send it in that encoding.', undefined, { cause });
  }
}

/** The parser's complaint without the quoted input. */
function reasonOf(cause: unknown): string {
  const message = cause instanceof Error ? cause.message : 'it cannot be parsed';
  const position = /at position \d+(?: \(line \d+ column \d+\))?/.exec(message)?.[0];
  return position === undefined ? 'it ends too early or holds a stray character' : `unexpected character ${position}`;
}

/** Throws `invalid_input` for absurd nesting. Level by level, so that it costs no stack. */
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
