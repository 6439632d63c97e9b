import { basename, extname } from 'node:path';
import { JsonText } from '../../../../ingest/chats/json-text.js';
import { isDay } from '../../../../ingest/chats/slack.js';
import { cutOffExport, programOf } from '../../../../ingest/chats/unreadable-export.js';
import { beginsLikeWhatsapp } from '../../../../ingest/chats/whatsapp.js';
import { UsageError } from '../../../cli.js';
import { beginningOf, NoText, textOf } from './exported-text.js';
import { exportedIn, type FileMessages, listedIn, type People } from './file-messages.js';

/** A file of a directory that holds no messages, or none that can be read. */
export interface LeftOutFile {
  readonly path: string;
  /** A sentence that names the file. */
  readonly reason: string;
}

/** Endings of the files of a directory that may hold messages. */
const ENDINGS = new Set(['.json', '.jsonl', '.ndjson', '.txt']);

/** Returns whether a file of a directory is looked into, by its name. */
export function mayHoldMessages(path: string): boolean {
  return ENDINGS.has(extname(path).toLowerCase());
}

/**
 * Returns the messages of a file of a directory, or why it is left out; nothing for a day of a channel on which nobody said anything. Throws a usage error for a
 * file that cannot be read, and for one that begins as the export of a program and is damaged, too large or in another encoding: its messages would be missed.
 */
export async function readBelow(
  path: string,
  { domain, people }: { readonly domain: string | undefined; readonly people: People },
): Promise<FileMessages | LeftOutFile | undefined> {
  let text: JsonText;
  try {
    text = new JsonText(await textOf(path));
  } catch (error) {
    if (!(error instanceof NoText) || isExport(await beginningOf(path), path)) throw error;
    return { path, reason: error.message };
  }
  const exported = await exportedIn(text, { path, domain, people });
  if (exported !== undefined && exported.messages.length > 0) return exported;
  if (exported !== undefined) return isDayFile(path) ? undefined : { path, reason: `${path} holds no message.` };
  const isJson = /^\s*[[{]/u.test(text.written);
  if (!isJson && !isDayFile(path) && text.written.trim() !== '')
    return { path, reason: `${path} is plain text, and no chat.` };
  try {
    return listedIn(text, { path, domain });
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    refuseDamaged(text, path);
    return { path, reason: error.message };
  }
}

function isDayFile(path: string): boolean {
  return isDay(basename(path, '.json'));
}

/** Returns whether the beginning of a file, or its name, is that of the export of a program. */
function isExport(beginning: string, path: string): boolean {
  return isDayFile(path) || programOf(beginning) !== undefined || beginsLikeWhatsapp(beginning);
}

function refuseDamaged(text: JsonText, path: string): void {
  if (isDayFile(path))
    throw new UsageError(`${path} is no day of a channel as Slack exports it; export it again, or leave it out.`);
  const reason = cutOffExport(text);
  if (reason !== undefined) throw new UsageError(`${path} ${reason}`);
}
