import { createHash } from 'node:crypto';
import { slicer } from '../../core/async/slices.js';

const SLICE = 1 << 18;

/** Returns the SHA-256 of a text in hex, giving way to the event loop. */
export async function hashText(text: string): Promise<string> {
  const pause = slicer();
  const hash = createHash('sha256');
  for (const slice of slices(text)) {
    hash.update(slice);
    await pause();
  }
  return hash.digest('hex');
}

/** Yields slices of a text; a surrogate pair or \r\n is never divided. */
function* slices(text: string): Generator<string> {
  for (let start = 0; start < text.length; ) {
    let end = Math.min(text.length, start + SLICE);
    if (end < text.length && /[\r\ud800-\udbff]/.test(text[end - 1]!)) end -= 1;
    yield text.slice(start, end);
    start = end;
  }
}
