import { existsSync } from 'node:fs';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { isStorable, storableText } from '../../../../core/text/clean.js';
import { chatExport } from '../../../../ingest/chats/chat-export.js';
import type { Conversation } from '../../../../ingest/chats/chat-message.js';
import { JsonText } from '../../../../ingest/chats/json-text.js';
import { type LeftOut, leftOutOf } from '../../../../ingest/chats/left-out.js';
import { messageList } from '../../../../ingest/chats/message-list.js';
import { peopleIn } from '../../../../ingest/chats/slack.js';
import { unreadableExport } from '../../../../ingest/chats/unreadable-export.js';
import { checkedInput, UsageError } from '../../../cli.js';
import type { Message } from './absent-messages.js';
import { textOf } from './exported-text.js';

/** The messages of a file. */
export interface FileMessages {
  readonly messages: readonly Message[];
  /** The conversation with an assistant that each message is of. */
  readonly of: ReadonlyArray<Conversation | undefined>;
  /** Whether the session of each message has the name of the file, and no one that the message or the conversation gives it. */
  readonly isOfFile: readonly boolean[];
  readonly leftOut?: LeftOut | undefined;
}

/** Returns the messages of a file; throws a usage error with the line, or the place in an export, of one that is none. */
export async function messagesOf(path: string, domain: string | undefined): Promise<FileMessages> {
  const text = new JsonText(await textOf(path));
  return (await exportedIn(text, { path, domain, people: new Map() })) ?? listedIn(text, { path, domain });
}

/** Returns the messages of a file that lists them in JSON or JSON Lines, in a session of its name; throws as `messagesOf` does. */
export function listedIn(
  text: JsonText,
  { path, domain }: { readonly path: string; readonly domain: string | undefined },
): FileMessages {
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

function plain(checked: readonly CheckedMessage[]): FileMessages {
  return {
    messages: checked.map(({ message }) => message),
    of: checked.map(() => undefined),
    isOfFile: checked.map(({ namesSession }) => !namesSession),
  };
}

/** People of Slack exports, their names by their ids, by the files that list them: each is read once. */
export type People = Map<string, ReadonlyMap<string, string>>;

/** Returns the messages of what a program exported; undefined for another text. */
export async function exportedIn(
  text: JsonText,
  { path, domain, people }: { readonly path: string; readonly domain: string | undefined; readonly people: People },
): Promise<FileMessages | undefined> {
  const name = nameOf(path);
  const above = dirname(resolve(path));
  const users = /^\s*\[/u.test(text.written) ? await usersBeside(above, people) : undefined;
  const exported = chatExport({ text, name, directory: basename(above), users });
  if (exported === undefined) return undefined;
  const messages = exported.map(
    ({ conversation: _identity, ...one }, i) =>
      checked(() => one, { where: `Message ${i + 1}`, path, session_id: name, domain }).message,
  );
  const isOfFile = exported.map(
    ({ conversation, session_id: id }) => conversation === undefined && (id === name || id.startsWith(`${name} `)),
  );
  return { messages, of: exported.map(({ conversation }) => conversation), isOfFile, leftOut: leftOutOf(text) };
}

/** Returns what the session of a file is called that names none itself. */
export function nameOf(path: string): string {
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

interface CheckedMessage {
  readonly message: Message;
  readonly namesSession: boolean;
}

function checked(value: () => object, { where, path, session_id, domain }: Place): CheckedMessage {
  try {
    const written = value() as { readonly text: string };
    const message = {
      session_id,
      ...written,
      ...(domain === undefined ? {} : { domain }),
    };
    checkedInput('ingest_message', message);
    // The call of many refuses what is taken out of a single message.
    const stored = isStorable(message.text) ? message : { ...message, text: storableText(message.text) };
    return { message: stored, namesSession: 'session_id' in written };
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

function linesOf(text: string): Array<{ line: string; number: number }> {
  const lines = text.split('\n').map((line, i) => ({ line: line.trim(), number: i + 1 }));
  return lines.filter(({ line }) => line !== '');
}
