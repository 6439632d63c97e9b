import { isUtf8 } from 'node:buffer';
import { SvcError } from '../errors.js';

const decoder = new TextDecoder('utf-8', { fatal: true });
const withinDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const MARK = [0xef, 0xbb, 0xbf];

/** Throws `invalid_input` where bytes are not UTF-8; ten megabytes take a millisecond or two. */
export function requireUtf8(bytes: Uint8Array): void {
  if (!isUtf8(bytes)) throw notUtf8();
}

/** Decodes UTF-8; throws `invalid_input` for other bytes. */
export function decodeUtf8(bytes: Uint8Array): string {
  return decodedBy(() => decoder.decode(bytes));
}

/** Decodes UTF-8 that is cut out of a longer text: a byte order mark in it is a character like any other. */
export function decodeWithin(bytes: Uint8Array): string {
  return decodedBy(() => withinDecoder.decode(bytes));
}

/** Returns bytes without a byte order mark at their start and the white space around them; the memory is shared. */
export function trimmed(bytes: Uint8Array): Buffer {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let start = MARK.every((byte, at) => all[at] === byte) ? MARK.length : 0;
  let end = all.length;
  while (start < end && isBlank(all[start]!)) start += 1;
  while (end > start && isBlank(all[end - 1]!)) end -= 1;
  return all.subarray(start, end);
}

/** Returns whether a byte is white space of JSON. */
export function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** Returns whether bytes from `start` to `end` are white space of JSON. */
export function isBlankBetween(bytes: Uint8Array, start: number, end: number): boolean {
  return endOfBlanks(bytes, start, end) >= end;
}

/** Returns where white space of JSON ends that may go on from `start`: at the first other byte, at `end` at the latest. */
export function endOfBlanks(bytes: Uint8Array, start: number, end: number): number {
  const last = Math.min(end, bytes.length);
  let at = start;
  while (at < last && isBlank(bytes[at]!)) at += 1;
  return at;
}

/** Returns what a decoder makes of bytes; throws `invalid_input` where it refuses them. */
export function decodedBy(decode: () => string): string {
  try {
    return decode();
  } catch (cause) {
    throw notUtf8(cause);
  }
}

function notUtf8(cause?: unknown): SvcError {
  return new SvcError('invalid_input', 'The body is not valid UTF-8; send it in that encoding.', undefined, { cause });
}
