import { SvcError } from '../../core/errors.js';
import { slicer } from '../../core/slices.js';

/**
 * Decodes bytes as UTF-8, or as UTF-16 where a byte order mark asks for it. `label` is a charset that the document itself
 * declares, used where the bytes are not UTF-8. Throws `unsupported_media` for binary data, `invalid_input` for another
 * encoding.
 */
export async function decodeText(bytes: Uint8Array, label?: string): Promise<string> {
  const marked =
    bytes[0] === 0xff && bytes[1] === 0xfe
      ? 'utf-16le'
      : bytes[0] === 0xfe && bytes[1] === 0xff
        ? 'utf-16be'
        : undefined;
  if (marked === undefined && looksBinary(bytes)) {
    throw new SvcError('unsupported_media', 'The file holds binary data, not text; ingest a text form of it.', {
      member: 'source_path',
    });
  }
  try {
    return await decode(bytes, new TextDecoder(marked ?? 'utf-8', { fatal: true }));
  } catch (error) {
    const declared = marked === undefined && label !== undefined ? decoderOf(label) : undefined;
    if (declared !== undefined) return decode(bytes, declared);
    const what = marked ?? 'UTF-8';
    const guess = marked === undefined ? ' (perhaps Latin-1)' : '';
    throw new SvcError(
      'invalid_input',
      `The file is not valid ${what} text${guess}; convert it to UTF-8 and ingest it again.`,
      { member: 'source_path' },
      { cause: error },
    );
  }
}

const SLICE = 1 << 20;

async function decode(bytes: Uint8Array, decoder: InstanceType<typeof TextDecoder>): Promise<string> {
  const pause = slicer();
  let text = '';
  for (let start = 0; start < bytes.length; start += SLICE) {
    text += decoder.decode(bytes.subarray(start, start + SLICE), { stream: true });
    await pause();
  }
  return text + decoder.decode();
}

function decoderOf(label: string): InstanceType<typeof TextDecoder> | undefined {
  try {
    return new TextDecoder(label, { fatal: false });
  } catch {
    return undefined;
  }
}

/** Returns true for a NUL anywhere, or more than one control character in twenty, among the first 64 KiB. */
function looksBinary(bytes: Uint8Array): boolean {
  if (bytes.includes(0)) return true;
  const head = bytes.subarray(0, 65_536);
  let controls = 0;
  for (const byte of head)
    if (byte < 32 && byte !== 9 && byte !== 10 && byte !== 12 && byte !== 13 && byte !== 27) controls += 1;
  return controls * 20 > head.length;
}
