import { Buffer, isUtf8 } from 'node:buffer';
import { StreamedDecoder } from '../mail/western-decoder.js';

/**
 * Returns a text without its quoted-printable encoding ("K=C3=B6ln"), in the charset that its property names, else in UTF-8 or Windows-1252.
 * @param {string} written @param {string} [charset]
 */
export function decodeQuotedPrintable(written, charset) {
  const bytes = Buffer.alloc(Buffer.byteLength(written));
  let length = 0;
  let at = 0;
  for (const { index, 0: code } of written.matchAll(/=[\dA-F]{2}/giu)) {
    length += bytes.write(written.slice(at, index), length);
    length = bytes.writeUInt8(Number.parseInt(code.slice(1), 16), length);
    at = index + code.length;
  }
  length += bytes.write(written.slice(at), length);
  const whole = bytes.subarray(0, length);
  return decoderOf(charset, whole).decode(whole);
}

/** @param {string | undefined} charset @param {Buffer} bytes */
function decoderOf(charset, bytes) {
  const label = charset ?? (isUtf8(bytes) ? 'utf-8' : 'windows-1252');
  try {
    return new StreamedDecoder(label);
  } catch {
    return new StreamedDecoder('windows-1252');
  }
}
