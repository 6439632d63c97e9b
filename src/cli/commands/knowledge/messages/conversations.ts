import { extname, relative, resolve, sep } from 'node:path';
import { groupBy } from '../../../../core/group-by.js';
import { hash20 } from '../../../../core/ids.js';
import { someOf } from '../../../../core/wording/some-of.js';
import { filesBelow } from '../../../../ingest/read/below.js';
import { UsageError } from '../../../cli.js';
import { isDirectory } from '../../../walk.js';
import type { Message } from './absent-messages.js';
import { notNamed } from './exported-text.js';
import { type FileMessages, messagesOf, nameOf, type People } from './file-messages.js';
import { type LeftOutFile, mayHoldMessages, readBelow } from './read-below.js';

/** The messages of a file, and where it lies. */
export interface Conversations extends FileMessages {
  readonly path: string;
  /** Where it lies below the directory that was named, without its extension, if another file there has its name. */
  readonly place?: string;
}

interface ReadOptions {
  /** Where all messages go, whatever they say themselves. */
  readonly domain: string | undefined;
  /** Called with each file of a directory that holds no messages, or none that can be read. */
  readonly onLeftOut?: (file: LeftOutFile) => void;
}

/** Reasons that the refusal of a directory without messages gives. */
const REASONS = 3;

/**
 * Yields the messages of a file, or of those files of a directory that hold some: exports of programs, as Slack does a day of a channel each, and lists of messages; those
 * without an id and a time have an id of their own. Throws a usage error for what holds no messages.
 */
export async function* conversationsAt(path: string, options: ReadOptions): AsyncGenerator<Conversations> {
  for await (const one of writtenAt(path, options)) yield { ...one, messages: identified(one.messages) };
}

async function* writtenAt(path: string, { domain, onLeftOut }: ReadOptions): AsyncGenerator<Conversations> {
  if (!isDirectory(path)) {
    yield { path, ...(await messagesOf(path, domain)) };
    return;
  }
  let found = 0;
  const reasons: string[] = [];
  const people: People = new Map();
  const files = await filesWithin(path);
  const withName = groupBy(files, nameOf);
  for (const file of files) {
    if (people.has(resolve(file))) continue;
    const read = await readBelow(file, { domain, people });
    // The list of people beside a channel may be what was read.
    if (read === undefined || people.has(resolve(file))) continue;
    if ('reason' in read) {
      reasons.push(read.reason);
      onLeftOut?.(read);
      continue;
    }
    found += 1;
    const place = relative(path, file).slice(0, -extname(file).length).replaceAll(sep, '/');
    yield { path: file, ...read, ...(withName.get(nameOf(file))!.length > 1 && place.includes('/') ? { place } : {}) };
  }
  if (found > 0) return;
  const { message } = notNamed(path, 'is a directory');
  throw new UsageError([message, ...(reasons.length === 0 ? [] : [someOf(reasons, REASONS)])].join(' '));
}

/** Returns the files below a directory that may hold messages; throws a usage error where a part of it cannot be read. */
async function filesWithin(path: string): Promise<string[]> {
  const files: string[] = [];
  for await (const { path: file, outside, closed } of filesBelow(path, { followLinks: false })) {
    if (closed === true) throw new UsageError(`${file} cannot be read; its rights do not let you.`);
    if (!outside && mayHoldMessages(file)) files.push(file);
  }
  return files;
}

/**
 * Gives an id to messages that have neither an id nor a time, which the service would append each time: what the message
 * and the one before it in its session say, and how many said the same so far. The same file again, or a longer one,
 * then adds only what is new; one that begins later also its first message.
 */
function identified(messages: readonly Message[]): Message[] {
  const seen = new Map<string, number>();
  const last = new Map<string, string>();
  return messages.map((message) => {
    const { domain, session_id, role, speaker, text } = message;
    const session = JSON.stringify([domain ?? 'default', session_id]);
    const said = JSON.stringify([session, role ?? 'user', speaker ?? null, text]);
    const id = hash20(said, last.get(session) ?? '');
    last.set(session, said);
    if ((message.message_id ?? message.timestamp ?? null) !== null) return message;
    const before = seen.get(id) ?? 0;
    seen.set(id, before + 1);
    return { ...message, message_id: `${id}:${before}` };
  });
}
