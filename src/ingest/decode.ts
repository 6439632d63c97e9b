import { SvcError } from '../core/errors.js';

/**
 * Bytes as text: UTF-8, or UTF-16 with a byte order mark. `unsupported_media` for binary data, `invalid_input` for another
 * encoding; `label` is a charset that the document itself declares, honoured where the bytes are not UTF-8.
 */
export function decodeText(bytes: Uint8Array, label?: string): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return decode(bytes, 'utf-16le');
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return decode(bytes, 'utf-16be');
  if (looksBinary(bytes)) {
    throw new SvcError('unsupported_media', 'The file holds binary data, not text; ingest a text form of it.', {
      member: 'source_path',
    });
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    const declared = label === undefined ? undefined : decoderOf(label);
    if (declared !== undefined) return declared.decode(bytes);
    throw new SvcError(
      'invalid_input',
      'The file is not valid UTF-8 text (perhaps Latin-1); convert it to UTF-8 and ingest it again.',
      { member: 'source_path' },
      { cause: error },
    );
  }
}

function decode(bytes: Uint8Array, encoding: string): string {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (error) {
    throw new SvcError('invalid_input', `The file is not valid ${encoding} text; convert it to UTF-8.`, undefined, {
      cause: error,
    });
  }
}

function decoderOf(label: string): InstanceType<typeof TextDecoder> | undefined {
  try {
    return new TextDecoder(label, { fatal: false });
  } catch {
    return undefined;
  }
}

/** A NUL, or more than one control character in twenty, among the first 64 KiB; a NUL anywhere. */
function looksBinary(bytes: Uint8Array): boolean {
  if (bytes.includes(0)) return true;
  const head = bytes.subarray(0, 65_536);
  let controls = 0;
  for (const byte of head)
    if (byte < 32 && byte !== 9 && byte !== 10 && byte !== 12 && byte !== 13 && byte !== 27) controls += 1;
  return controls * 20 > head.length;
}
