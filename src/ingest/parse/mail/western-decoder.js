const { TextDecoder } = globalThis;

/**
 * A decoder that reads Windows-1252 by its own table: Node reads it as Latin-1 where a text is not streamed, so that the euro sign and
 * curly quotation marks are control characters.
 */
export class StreamedDecoder extends TextDecoder {
  /** @param {Uint8Array} [bytes] @param {{ stream?: boolean }} [options] */
  decode(bytes, options) {
    if (bytes === undefined || options?.stream === true) return super.decode(bytes, options);
    return super.decode(bytes, { stream: true }) + super.decode();
  }
}

/**
 * Lets whatever decodes texts in this process read Windows-1252 by its own table until a mail is read: postal-mime takes no decoder.
 * @template T
 * @param {() => Promise<T>} read
 * @returns {Promise<T>}
 */
export async function withDecoder(read) {
  globalThis.TextDecoder = StreamedDecoder;
  try {
    return await read();
  } finally {
    globalThis.TextDecoder = TextDecoder;
  }
}
