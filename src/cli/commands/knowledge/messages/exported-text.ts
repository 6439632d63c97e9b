import { readFileSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { SvcError } from '../../../../core/errors.js';
import { utf8Of } from '../../../../ingest/read/decode.js';
import { UsageError } from '../../../cli.js';

/** MiB of a file of messages: what it holds takes several times as much memory. */
const MOST_MIB = 256;
/** Bytes by which it is told what a file is that is not read whole. */
const BEGINNING = 16_384;

/** Says of a file that can be read that it is too large, or holds no text. */
export class NoText extends UsageError {}

/** Returns the text of a file of messages; throws a usage error for one that is too large, holds no text or cannot be read. */
export async function textOf(path: string): Promise<string> {
  try {
    const { size } = statSync(path);
    if (size > MOST_MIB * 2 ** 20)
      throw new NoText(`${path} is larger than ${MOST_MIB} MiB; export fewer conversations at a time, or split it.`);
    const bytes = await utf8Of(readFileSync(path));
    return new TextDecoder().decode(bytes);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    if (error instanceof SvcError) throw new NoText(`${path}: ${error.message}`);
    const what = (error as NodeJS.ErrnoException).code === 'EISDIR' ? 'is a directory' : 'cannot be read';
    throw notNamed(path, what);
  }
}

/** Returns how a file begins, in whatever encoding: its signs of ASCII, and others for what it holds beside them. */
export async function beginningOf(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(BEGINNING), 0, BEGINNING, 0);
    // UTF-16 has a zero byte beside each sign of ASCII.
    const signs = buffer.toString('latin1', 0, bytesRead).replaceAll('\0', '');
    return signs.replace(/^(?:\u00ef\u00bb\u00bf|\u00ff\u00fe|\u00fe\u00ff)/u, '');
  } finally {
    await file.close();
  }
}

export function notNamed(path: string, what: string): UsageError {
  return new UsageError(
    `${path} ${what}; name a file of an export, a directory with such files, or a file with a JSON message a line.`,
  );
}
