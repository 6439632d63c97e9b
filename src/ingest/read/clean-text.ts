import { createHash } from 'node:crypto';
import { slicer } from '../../core/slices.js';

/**
 * Returns a text as every store accepts it: line ends are \n; no NUL or other control characters, no byte order mark, no lone
 * surrogates (they become U+FFFD).
 */
export function cleanText(text: string): string {
  return text
    .replace(/\r\n?|[\u2028\u2029\u000b\u000c\u0085]/gu, '\n')
    .replace(/[\u0000-\u0008\u000e-\u001f\u007f-\u009f\ufeff]/gu, '')
    .replace(/\p{Cs}/gu, '\ufffd');
}

const SLICE = 1 << 18;

/** Cleans a long text, giving way to the event loop. */
export async function cleanLongText(text: string): Promise<string> {
  const pause = slicer();
  let clean = '';
  for (const slice of slices(text)) {
    clean += cleanText(slice);
    await pause();
  }
  return clean;
}

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
