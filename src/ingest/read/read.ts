import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { basename } from 'node:path';
import { SvcError } from '../../core/errors.js';
import type { DocumentType } from '../../core/wording/document-types.js';
import { tableOfPage } from './exported-pages.js';
import { documentType } from './file-type.js';
import { refusePrivateFile } from './private-files.js';
import { resolveInRoots } from './roots.js';

export interface ReadOptions {
  /** Directories that may be read; without them any path (command line, spooled uploads). */
  readonly roots?: readonly string[] | undefined;
  /** How to read it; by extension without it. */
  readonly sourceType?: string | undefined;
  readonly maxBytes: number;
  /** Directory of the service's own files, which are never read. */
  readonly dataDirectory?: string | undefined;
  /** Name for the type and for messages, where it is not the name in the path (uploads). */
  readonly name?: string | undefined;
}

/** A file as read: bytes, not yet looked into. */
export interface RawFile {
  /** Real path, links resolved. */
  readonly path: string;
  readonly name: string;
  readonly type: DocumentType;
  readonly bytes: Uint8Array;
  /** SHA-256 of the bytes, in hex; made while reading. */
  readonly hash: string;
  /** Name of the table of which it is a row, where a program exported each row as a page. */
  readonly table?: string | undefined;
}

/**
 * Reads a file under the allowed roots. Throws `forbidden` outside them and for private files, `not_found`, `invalid_input` for a directory, a
 * device or an empty file, `unsupported_media` for another type, `too_large` over `maxBytes`.
 */
export async function read(path: string, options: ReadOptions): Promise<RawFile> {
  const real = await resolveInRoots(path, options.roots);
  const name = options.name ?? basename(path);
  // A spooled upload has a name of its own: its content came with the request.
  if (options.name === undefined) await refusePrivateFile(real, options);
  const file = await openFile(real, name);
  try {
    const stat = await file.stat();
    if (stat.isDirectory()) throw badPath('source_path is a directory; name a file in it.');
    if (!stat.isFile()) throw badPath('source_path is not a regular file; name a file.');
    const type = documentType(name, options.sourceType);
    const { bytes, hash } = await readBounded(file, options.maxBytes);
    if (bytes.length === 0) {
      throw new SvcError('invalid_input', `${name} is empty; there is nothing to ingest.`, {
        member: 'source_path',
        empty: true,
      });
    }
    const table = options.name === undefined ? await tableOfPage(real) : undefined;
    return { path: real, name, type, bytes, hash, ...(table === undefined ? {} : { table }) };
  } finally {
    await file.close();
  }
}

async function openFile(path: string, name: string): Promise<FileHandle> {
  try {
    // The path is resolved: a link put there since is refused, and a pipe does not block.
    return await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EISDIR') throw badPath('source_path is a directory; name a file in it.');
    if (code === 'ENOENT') {
      throw new SvcError('not_found', 'source_path names no file; check the path.', { member: 'source_path' });
    }
    throw badPath(`${name} cannot be opened; check its permissions.`, error);
  }
}

/** Reads at most `maxBytes`, however much the file grows meanwhile. */
async function readBounded(file: FileHandle, maxBytes: number): Promise<Pick<RawFile, 'bytes' | 'hash'>> {
  const { size } = await file.stat();
  if (size > maxBytes) throw tooLarge(maxBytes);
  const chunks: Buffer[] = [];
  const hash = createHash('sha256');
  let total = 0;
  for (;;) {
    const chunk = Buffer.allocUnsafe(Math.min(1 << 20, Math.max(4096, size - total + 1)));
    const { bytesRead } = await file.read(chunk, 0, chunk.length, null);
    if (bytesRead === 0) return { bytes: Buffer.concat(chunks, total), hash: hash.digest('hex') };
    total += bytesRead;
    if (total > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk.subarray(0, bytesRead));
    hash.update(chunk.subarray(0, bytesRead));
  }
}

function tooLarge(maxBytes: number): SvcError {
  const most = maxBytes >= 1 << 20 ? `${Math.floor(maxBytes / (1 << 20))} MiB` : `${maxBytes} bytes`;
  return new SvcError('too_large', `The file is larger than ${most}; split it.`, { member: 'source_path' });
}

function badPath(message: string, cause?: unknown): SvcError {
  return new SvcError('invalid_input', message, { member: 'source_path' }, { cause });
}
