import { slicer } from '../core/slices.js';

/**
 * Text as it may be stored anywhere: line ends are \n; no NUL or other control characters, no byte order mark, no lone
 * surrogates (they become U+FFFD).
 */
export function cleanText(text: string): string {
  return text
    .replace(/\r\n?|[\u2028\u2029\u000b\u000c\u0085]/gu, '\n')
    .replace(/[\u0000-\u0008\u000e-\u001f\u007f-\u009f\ufeff]/gu, '')
    .replace(/\p{Cs}/gu, '\ufffd');
}

const SLICE = 1 << 18;

/** The same for a long text, giving way to the event loop. */
export async function cleanLongText(text: string): Promise<string> {
  if (text.length <= SLICE) return cleanText(text);
  const pause = slicer();
  let clean = '';
  for (let start = 0; start < text.length; ) {
    let end = Math.min(text.length, start + SLICE);
    // Neither a pair of surrogates nor \r\n is cut in two.
    if (end < text.length && /[\r\ud800-\udbff]/.test(text[end - 1]!)) end -= 1;
    clean += cleanText(text.slice(start, end));
    start = end;
    await pause();
  }
  return clean;
}
