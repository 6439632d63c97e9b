import { basename, dirname, extname, join } from 'node:path';
import { SvcError } from '../core/errors.js';
import { isKeepNote } from './parse/table/keep-note.js';
import { type RawFile, type ReadOptions, read } from './read/read.js';

/** A note is short: parsing it takes a few milliseconds. In bytes. */
const LONGEST = 256 * 1024;

/** Throws `unsupported_media`, as one to skip, for a page that Google Keep exports beside a note: it says the same, and says nothing of the trash. */
export async function refuseKeepPage({ path, name, type }: RawFile, options: ReadOptions): Promise<void> {
  if (type !== 'html') return;
  const note = `${basename(path, extname(path))}.json`;
  if (!(await isNote(join(dirname(path), note), options))) return;
  const sentence = `${name} is the page of the note ${note}; ingest that note instead.`;
  throw new SvcError('unsupported_media', sentence, { member: 'source_type', skipped: true, withdrawn: true });
}

async function isNote(path: string, options: ReadOptions): Promise<boolean> {
  try {
    const { bytes } = await read(path, { ...options, sourceType: 'json', maxBytes: LONGEST });
    return isKeepNote(JSON.parse(Buffer.from(bytes).toString()));
  } catch {
    return false;
  }
}
