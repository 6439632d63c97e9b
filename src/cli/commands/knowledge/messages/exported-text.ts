import { readFileSync, statSync } from 'node:fs';
import { SvcError } from '../../../../core/errors.js';
import { utf8Of } from '../../../../ingest/read/decode.js';
import { UsageError } from '../../../cli.js';

/** MiB of a file of messages: what it holds takes several times as much memory. */
const MOST_MIB = 256;

/** Returns the text of a file of messages; throws a usage error for one that is too large, holds no text or cannot be read. */
export async function textOf(path: string): Promise<string> {
  try {
    const { size } = statSync(path);
    if (size > MOST_MIB * 2 ** 20)
      throw new UsageError(
        `${path} is larger than ${MOST_MIB} MiB; export fewer conversations at a time, or split it.`,
      );
    const bytes = await utf8Of(readFileSync(path));
    return new TextDecoder().decode(bytes);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    if (error instanceof SvcError) throw new UsageError(`${path}: ${error.message}`);
    const what = (error as NodeJS.ErrnoException).code === 'EISDIR' ? 'is a directory' : 'cannot be read';
    throw notNamed(path, what);
  }
}

export function notNamed(path: string, what: string): UsageError {
  return new UsageError(
    `${path} ${what}; name a file of an export, a directory with such files, or a file with a JSON message a line.`,
  );
}
