import secureJson from 'secure-json-parse';
import { SvcError } from '../errors.js';

/**
 * Parses JSON; throws `invalid_input` for a syntax error and for a member named `__proto__`. `start`: place of the text
 * in a longer one, of which it is a piece.
 */
export function parseJson(text: string, start?: number): unknown {
  try {
    return secureJson.parse(text, undefined, { protoAction: 'error', constructorAction: 'ignore' });
  } catch (cause) {
    if (cause instanceof Error && cause.message.includes('forbidden prototype')) {
      throw new SvcError('invalid_input', '__proto__ is not accepted as the name of a member; rename it.', {
        member: '__proto__',
      });
    }
    throw start === undefined ? invalid(reasonOf(cause), cause) : syntaxError(start, cause);
  }
}

/** Returns the error for a syntax error somewhere after a place in the text. */
export function syntaxError(after: number, cause?: unknown): SvcError {
  return invalid(`it ends too early or holds a stray character after position ${after}`, cause);
}

function invalid(reason: string, cause: unknown): SvcError {
  return new SvcError('invalid_input', `The body is not valid JSON: ${reason}.`, undefined, { cause });
}

/** Returns the parser's complaint without the quoted input. */
function reasonOf(cause: unknown): string {
  const message = cause instanceof Error ? cause.message : 'it cannot be parsed';
  const position = /at position \d+(?: \(line \d+ column \d+\))?/.exec(message)?.[0];
  return position === undefined ? 'it ends too early or holds a stray character' : `unexpected character ${position}`;
}
