import { slicer } from '../async/slices.js';
import { JsonLimits } from './json-limits.js';
import { parseJsonInPieces } from './json-pieces.js';

/** Bytes that are looked at in one step. */
const SLICE = 64 * 1024;

/** Parses JSON of bytes: `invalid_input` where they are no JSON in UTF-8, `too_large` where there are too many members. */
export async function parseJsonBytes(bytes: Uint8Array): Promise<unknown> {
  await checkJsonLimits(bytes);
  return parseJsonInPieces(bytes);
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
