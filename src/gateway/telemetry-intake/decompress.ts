import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { SvcError } from '../../core/errors.js';

const READERS = { gzip: promisify(gunzip), deflate: promisify(inflate), br: promisify(brotliDecompress) } as const;

/**
 * Decompresses a body by its Content-Encoding. Stops as soon as `limit` bytes came out, whatever the sender claims.
 * Throws `too_large`, `unsupported_media` for an unknown encoding, `invalid_input` for bytes that are not of it.
 */
export async function decompressed(bytes: Uint8Array, encoding: string, limit: number): Promise<Uint8Array> {
  const name = encoding.trim().toLowerCase();
  if (name === '' || name === 'identity') return bytes;
  if (!Object.hasOwn(READERS, name)) {
    throw new SvcError('unsupported_media', `Content-Encoding ${name.slice(0, 40)} is not supported; use gzip.`);
  }
  try {
    return await READERS[name as keyof typeof READERS](bytes, { maxOutputLength: limit });
  } catch (cause) {
    if ((cause as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE') {
      throw new SvcError(
        'too_large',
        `The body is larger than ${limit} bytes once it is decompressed; send it in parts.`,
        {
          limit,
        },
      );
    }
    throw new SvcError('invalid_input', `The body is not valid ${name}.`, undefined, { cause });
  }
}
