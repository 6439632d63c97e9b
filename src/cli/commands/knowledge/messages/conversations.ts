import { existsSync } from 'node:fs';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { hash20 } from '../../../../core/ids.js';
import { isStorable, storableText } from '../../../../core/text/clean.js';
import { chatExport } from '../../../../ingest/chats/chat-export.js';
import type { Conversation } from '../../../../ingest/chats/chat-message.js';
import { JsonText } from '../../../../ingest/chats/json-text.js';
import { type LeftOut, leftOutOf } from '../../../../ingest/chats/left-out.js';
import { messageList } from '../../../../ingest/chats/message-list.js';
import { isDay, peopleIn } from '../../../../ingest/chats/slack.js';
import { cutOffExport, unreadableExport } from '../../../../ingest/chats/unreadable-export.js';
import { filesBelow } from '../../../../ingest/read/below.js';
import { checkedInput, UsageError } from '../../../cli.js';
import { isDirectory } from '../../../walk.js';
import type { Message } from './absent-messages.js';
import { notNamed, textOf } from './exported-text.js';

/** The messages of a file. */
export interface Conversations {
  readonly path: string;
  readonly messages: readonly Message[];
  /** The conversation with an assistant that each message is of. */
  readonly of: ReadonlyArray<Conversation | undefined>;
  readonly leftOut?: LeftOut | undefined;
}

/** Endings of the files of a directory that may be exports. */
const EXPORTED = new Set(['.json', '.jsonl', '.txt']);

/**
 * Yields the messages of a file, or of those files of a directory that programs exported, as Slack does a day of a channel each; those without an id and a time
 * have an id of their own. `domain`: where all of them go, whatever they say themselves. Throws a usage error for what holds no messages.
 */
export async function* conversationsAt(path: string, domain: string | undefined): AsyncGenerator<Conversations> {
  for await (const one of writtenAt(path, domain)) yield { ...one, messages: identified(one.messages) };
}

async function* writtenAt(path: string, domain: string | undefined): AsyncGenerator<Conversations> {
  if (!isDirectory(path)) {
    yield { path, ...(await messagesOf(path, domain)) };
    return;
  }
  let found = 0;
  const people: People = new Map();
  for await (const { path: file, outside, closed } of filesBelow(path, { followLinks: false })) {
    if (closed === true) throw new UsageError(`${file} cannot be read; its rights do not let you.`);
    if (outside || !EXPORTED.has(extname(file).toLowerCase()) || people.has(resolve(file))) continue;
    const text = new JsonText(await textOf(file));
    const exported = await exportedIn(text, { path: file, domain, people });
    if (exported === undefined) refuseDamaged(text, file);
    if (exported === undefined || exported.messages.length === 0) continue;
    found += 1;
    yield { path: file, ...exported };
  }
  if (found === 0) throw notNamed(path, 'is a directory');
}

/** Throws for a file of a directory that was to hold messages, and does not: it would be missed without a word. */
function refuseDamaged(text: JsonText, file: string): void {
  if (isDay(basename(file, '.json')))
    throw new UsageError(`${file} is no day of a channel as Slack exports it; export it again, or leave it out.`);
  const program = cutOffExport(text);
  if (program !== undefined) throw new UsageError(`${file} ${program}`);
}

type Read = Omit<Conversations, 'path'>;

/** Returns the messages of a file; throws a usage error with the line, or the place in an export, of one that is none. */
async function messagesOf(path: string, domain: string | undefined): Promise<Read> {
  const text = new JsonText(await textOf(path));
  const exported = await exportedIn(text, { path, domain, people: new Map() });
  if (exported !== undefined) return exported;
  const session_id = nameOf(path);
  const listed = messageList(text);
  if (listed !== undefined)
    return plain(listed.map((one, i) => checked(() => one, { where: `Message ${i + 1}`, path, session_id, domain })));
  const reason = unreadableExport(text);
  if (reason !== undefined) throw new UsageError(`${path} ${reason}`);
  return plain(
    linesOf(text.written).map(({ line, number }) =>
      checked(() => read(line), { where: `Line ${number}`, path, session_id, domain }),
    ),
  );
}

function plain(messages: readonly Message[]): Read {
  return { messages, of: messages.map(() => undefined) };
}

/** People of Slack exports, their names by their ids, by the files that list them: each is read once. */
type People = Map<string, ReadonlyMap<string, string>>;

/** Returns the messages of what a program exported; undefined for another text. */
async function exportedIn(
  text: JsonText,
  { path, domain, people }: { readonly path: string; readonly domain: string | undefined; readonly people: People },
): Promise<Read | undefined> {
  const name = nameOf(path);
  const above = dirname(resolve(path));
  const users = /^\s*\[/u.test(text.written) ? await usersBeside(above, people) : undefined;
  const exported = chatExport({ text, name, directory: basename(above), users });
  if (exported === undefined) return undefined;
  const messages = exported.map(({ conversation: _identity, ...one }, i) =>
    checked(() => one, { where: `Message ${i + 1}`, path, session_id: name, domain }),
  );
  return { messages, of: exported.map(({ conversation }) => conversation), leftOut: leftOutOf(text) };
}

function nameOf(path: string): string {
  return basename(path, extname(path));
}

/** Returns the list of people of a Slack export, which lies beside its channels. */
async function usersBeside(directory: string, people: People): Promise<ReadonlyMap<string, string> | undefined> {
  const files = [join(directory, '..', 'users.json'), join(directory, 'users.json')];
  const file = files.find((one) => people.has(one) || existsSync(one));
  if (file === undefined) return undefined;
  const list = people.get(file) ?? peopleIn(new JsonText(await textOf(file)));
  people.set(file, list);
  return list;
}

interface Place {
  readonly where: string;
  readonly path: string;
  readonly session_id: string;
  readonly domain: string | undefined;
}

function checked(value: () => object, { where, path, session_id, domain }: Place): Message {
  try {
    const message = {
      session_id,
      ...(value() as { readonly text: string }),
      ...(domain === undefined ? {} : { domain }),
    };
    checkedInput('ingest_message', message);
    // The call of many refuses what is taken out of a single message.
    return isStorable(message.text) ? message : { ...message, text: storableText(message.text) };
  } catch (error) {
    const reason = error instanceof UsageError ? error.message : `it is not a JSON object; ${AS_MESSAGE}.`;
    throw new UsageError(`${where} of ${path} is no message: ${reason}`);
  }
}

function read(line: string): object {
  if (line.startsWith('[')) throw new UsageError(listReason(line));
  return JSON.parse(line) as object;
}

const AS_MESSAGE = 'write a message as {"text": "…", "speaker": "…", "timestamp": "…"} on one line';

/** Returns what a line is that begins like a list: one of JSON, its beginning over several lines, or a text that opens with a time. */
function listReason(line: string): string {
  return /^\[\s*(?:$|[\]{["])/u.test(line)
    ? 'it is a list, or the beginning of one; write each of its members on a line of its own.'
    : `it is not a JSON object; ${AS_MESSAGE}.`;
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

function linesOf(text: string): Array<{ line: string; number: number }> {
  const lines = text.split('\n').map((line, i) => ({ line: line.trim(), number: i + 1 }));
  return lines.filter(({ line }) => line !== '');
}
