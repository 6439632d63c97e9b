import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { forEachInSlices } from '../../core/async/slices.js';
import { SvcError } from '../../core/errors.js';
import { requireRoomToGrow } from '../limits/arrivals.js';
import { uploadPrefix } from './stale-uploads.js';

/** A body as it came over the wire: in memory, or spooled into a temporary folder of its own. */
export type RawBody =
  | { readonly kind: 'bytes'; readonly bytes: Buffer }
  | { readonly kind: 'file'; readonly path: string; readonly folder: string };

export interface ReceiveOptions {
  /** Largest body, in bytes. */
  readonly limit: number;
  /** Receives every chunk as it arrives. */
  readonly onChunk?: ((chunk: Buffer) => void) | undefined;
}

/** Returns whether a request announces a body. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Reads the whole body once. Throws `too_large` beyond the limit and `invalid_input` when the sender stops half-way. */
export async function receive(
  request: IncomingMessage,
  options: ReceiveOptions & { /** Into a file instead of memory. */ readonly spool: boolean },
): Promise<RawBody> {
  const chunks = bodyStream(request, options);
  if (options.spool) return spooled(chunks);
  return { kind: 'bytes', bytes: await gathered(chunks) };
}

/** Joins the chunks of a stream. Gives way to the event loop: ten megabytes are laid out while they are copied. */
export async function gathered(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  if (parts.length === 1) return parts[0]!;
  const whole = Buffer.allocUnsafe(parts.reduce((bytes, { length }) => bytes + length, 0));
  let at = 0;
  await forEachInSlices(parts, (part) => {
    at += part.copy(whole, at);
  });
  return whole;
}

/** Streams the body of a request: fails with `too_large` beyond the limit, with `invalid_input` where it breaks off. */
export function bodyStream(request: IncomingMessage, options: ReceiveOptions): Readable {
  const declared = Number(request.headers['content-length'] ?? 0);
  if (declared > options.limit) throw tooLarge(options.limit);
  return Readable.from(limited(request, options));
}

/** Bytes of a body in memory that are read in one step. */
const STEP = 64 * 1024;

/** Streams a body that was received before. */
export function rawStream(raw: RawBody): Readable {
  return raw.kind === 'file' ? createReadStream(raw.path) : Readable.from(steps(raw.bytes));
}

function* steps(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += STEP) yield bytes.subarray(start, start + STEP);
}

/** Makes a folder for one request's files, readable by this user only. */
export function makeUploadFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), uploadPrefix()));
}

/** Removes what a request left on disk. */
export async function removeUploadFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
}

/** Removes what `receive` left on disk. */
export async function discard(raw: RawBody | undefined): Promise<void> {
  if (raw?.kind === 'file') await removeUploadFolder(raw.folder);
}

async function spooled(chunks: Readable): Promise<RawBody> {
  const folder = await makeUploadFolder();
  const path = join(folder, 'body');
  try {
    await pipeline(chunks, createWriteStream(path, { mode: 0o600 }));
    return { kind: 'file', path, folder };
  } catch (error) {
    await removeUploadFolder(folder);
    throw error;
  }
}

/**
 * Yields the chunks of a request. The request is not destroyed when reading stops early: what is still coming is drained,
 * so that the sender gets to read the answer and can send its next request over the same connection.
 */
async function* limited(request: IncomingMessage, options: ReceiveOptions): AsyncGenerator<Buffer> {
  let size = 0;
  const chunks = request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  try {
    for await (const chunk of chunks) {
      size += chunk.length;
      if (size > options.limit) throw tooLarge(options.limit);
      requireRoomToGrow(request);
      options.onChunk?.(chunk);
      yield chunk;
    }
  } catch (error) {
    if (error instanceof SvcError) throw error;
    throw new SvcError('invalid_input', 'The request ended before its body was complete.', undefined, { cause: error });
  } finally {
    // Node drains only a request of which nothing was read.
    request.resume();
  }
}

function tooLarge(limit: number): SvcError {
  return new SvcError('too_large', `The body is larger than ${limit} bytes; send it in parts.`, { limit });
}
