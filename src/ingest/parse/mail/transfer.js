/**
 * Returns the bytes of a quoted-printable text.
 * @param {string} text
 */
export function unquoted(text) {
  return Buffer.concat(
    text
      .split(/((?:=[0-9A-Fa-f]{2})+)/)
      .map((piece, i) => (i % 2 === 1 ? Buffer.from(piece.replaceAll('=', ''), 'hex') : Buffer.from(piece))),
  );
}

/**
 * Returns bytes as text; of a charset that is not known, as UTF-8.
 * @param {Uint8Array} bytes
 * @param {string | undefined} charset
 */
export function inCharset(bytes, charset) {
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}
