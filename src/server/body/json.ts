import { slicer } from '../../core/async/slices.js';
import { SvcError } from '../../core/errors.js';
import { JsonLimits } from '../../core/json/json-limits.js';
import { parseJsonInPieces } from '../../core/json/json-pieces.js';
import { parseJson } from '../../core/json/json-text.js';
import { decodedBy, trimmed } from '../../core/json/utf8.js';

/** Parses a JSON object; anything else and `__proto__` members are `invalid_input`. A text is parsed at once, bytes in pieces. */
export async function parseJsonObject(body: string | Uint8Array): Promise<Record<string, unknown>> {
  const isEmpty = typeof body === 'string' ? !/\S/u.test(body) : trimmed(body).length === 0;
  if (isEmpty) throw new SvcError('invalid_input', 'The body is empty; send a JSON object.');
  const value = typeof body === 'string' ? parseJson(body) : await parseJsonInPieces(body);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new SvcError('invalid_input', 'The body must be a JSON object.');
  }
  return value as Record<string, unknown>;
}

/** Passes chunks on; throws `invalid_input` at the first that is not UTF-8, `too_large` where there are too many members. */
export async function* requireJsonText(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const stream = new TextDecoder('utf-8', { fatal: true });
  const limits = new JsonLimits();
  const pause = slicer();
  for await (const chunk of chunks) {
    // Chunks that have arrived already follow each other in one tick.
    await pause();
    decodedBy(() => stream.decode(chunk, { stream: true }));
    limits.scan(chunk);
    yield chunk;
  }
  decodedBy(() => stream.decode());
}
