import { SvcError } from '../errors.js';
import { slicer } from '../slices.js';
import { JsonLimits } from './json-limits.js';
import { parseJsonInPieces } from './json-pieces.js';

/** Bytes that are looked at in one step. */
const SLICE = 64 * 1024;
const decoder = new TextDecoder('utf-8', { fatal: true });

/** Parses JSON of bytes: `invalid_input` where they are no JSON in UTF-8, `too_large` where there are too many members. */
export async function parseJsonBytes(bytes: Uint8Array): Promise<unknown> {
  await checkJsonLimits(bytes);
  return parseJsonInPieces(await decodeInPieces(bytes));
}

/** Throws `too_large` where JSON has too many members, `invalid_input` for absurd nesting. */
export async function checkJsonLimits(bytes: Uint8Array): Promise<void> {
  const limits = new JsonLimits();
  const pause = slicer();
  for (let start = 0; start < bytes.length; start += SLICE) {
    limits.scan(bytes.subarray(start, start + SLICE));
    await pause();
  }
}

/** Bytes that are decoded in one step. */
const DECODED = 1024 * 1024;

/** Decodes UTF-8 like `decodeUtf8`, and gives way to the event loop. */
export async function decodeInPieces(bytes: Uint8Array): Promise<string> {
  if (bytes.length <= DECODED) return decodeUtf8(bytes);
  const stream = new TextDecoder('utf-8', { fatal: true });
  const pause = slicer();
  let text = '';
  for (let start = 0; start < bytes.length; start += DECODED) {
    text += decoded(() => stream.decode(bytes.subarray(start, start + DECODED), { stream: true }));
    await pause();
  }
  return text + decoded(() => stream.decode());
}

/** Decodes UTF-8; throws `invalid_input` for other bytes. */
export function decodeUtf8(bytes: Uint8Array): string {
  return decoded(() => decoder.decode(bytes));
}

function decoded(decode: () => string): string {
  try {
    return decode();
  } catch (cause) {
    throw new SvcError('invalid_input', 'The body is not valid UTF-8; send it in that encoding.', undefined, { cause });
  }
}
