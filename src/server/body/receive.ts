import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { SvcError } from '../../core/errors.js';

/** A body as it came over the wire: in memory, or spooled into a temporary folder of its own. */
export type RawBody =
  | { readonly kind: 'bytes'; readonly bytes: Buffer }
  | { readonly kind: 'file'; readonly path: string; readonly folder: string };

export interface ReceiveOptions {
  readonly limit: number;
  /** Into a file instead of memory. */
  readonly spool: boolean;
  /** Sees every chunk as it arrives. */
  readonly onChunk?: ((chunk: Buffer) => void) | undefined;
}

/** Reads the whole body once. Throws `too_large` beyond the limit and `invalid_input` when the sender stops half-way. */
export async function receive(request: IncomingMessage, options: ReceiveOptions): Promise<RawBody> {
  const declared = Number(request.headers['content-length'] ?? 0);
  if (declared > options.limit) throw tooLarge(options.limit);
  return options.spool ? spooled(request, options) : inMemory(request, options);
}

/** Removes what `receive` left on disk. */
export async function discard(raw: RawBody | undefined): Promise<void> {
  if (raw?.kind === 'file') await rm(raw.folder, { recursive: true, force: true });
}

async function inMemory(request: IncomingMessage, options: ReceiveOptions): Promise<RawBody> {
  const chunks: Buffer[] = [];
  for await (const chunk of limited(request, options)) chunks.push(chunk);
  return { kind: 'bytes', bytes: chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks) };
}

async function spooled(request: IncomingMessage, options: ReceiveOptions): Promise<RawBody> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-upload-'));
  const path = join(folder, 'body');
  try {
    await pipeline(Readable.from(limited(request, options)), createWriteStream(path, { mode: 0o600 }));
    return { kind: 'file', path, folder };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

/**
 * The chunks of a request. The request is not destroyed when reading stops early: Node then drains what is still
 * coming, so that the sender gets to read the answer.
 */
async function* limited(request: IncomingMessage, options: ReceiveOptions): AsyncGenerator<Buffer> {
  let size = 0;
  const chunks = request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  try {
    for await (const chunk of chunks) {
      size += chunk.length;
      if (size > options.limit) throw tooLarge(options.limit);
      options.onChunk?.(chunk);
      yield chunk;
    }
  } catch (error) {
    if (error instanceof SvcError) throw error;
    throw new SvcError('invalid_input', 'The request ended before its body was complete.', undefined, { cause: error });
  }
}

function tooLarge(limit: number): SvcError {
  return new SvcError('too_large', `The body is larger than ${limit} bytes; send it in parts.`, { limit });
}
