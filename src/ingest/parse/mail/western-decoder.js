/**
 * A decoder that reads Windows-1252 by its own table: Node reads it as Latin-1 where a text is not streamed, so that the euro sign and
 * curly quotation marks are control characters.
 */
class StreamedDecoder extends TextDecoder {
  /** @param {Uint8Array} [bytes] @param {{ stream?: boolean }} [options] */
  decode(bytes, options) {
    if (bytes === undefined || options?.stream === true) return super.decode(bytes, options);
    return super.decode(bytes, { stream: true }) + super.decode();
  }
}

/** Lets whatever decodes texts in this process read Windows-1252 by its own table: postal-mime takes no decoder. */
export function installDecoder() {
  globalThis.TextDecoder = StreamedDecoder;
}
