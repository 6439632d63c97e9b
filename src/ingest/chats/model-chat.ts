import { areModelMessages, isModelChat, isModelMessage, TALK, wholeOf } from '../parse/table/chat-records.js';
import type { JsonRecord } from '../parse/table/record-table.js';
import { type ChatFile, type ChatMessage, speakerOf, timeOf } from './chat-message.js';
import { spokenText } from './content.js';
import { type JsonText, jsonOf } from './json-text.js';

/**
 * Returns the messages of conversations as programs send them to language models: `{"role": "user", "content": "…"}`, a list of such, one a line, or objects with a
 * list of them as `messages`; undefined for another text. A list of messages is a session of the file's name; where there are more, they are numbered.
 */
export function modelMessages({ text, name }: ChatFile): ChatMessage[] | undefined {
  const found = conversationsIn(text);
  if (areModelMessages(found)) return found.flatMap((one) => said(one, name));
  if (wholeOf(found, isModelChat) === undefined) return undefined;
  return found.flatMap((chat, i) => {
    if (!isModelChat(chat)) return [];
    const session = idOf(chat.session_id ?? chat.id) ?? (found.length === 1 ? name : `${name} ${i + 1}`);
    return chat.messages.filter(isModelMessage).flatMap((one) => said(one, session));
  });
}

/** Returns what a file lists that may be conversations: the values of a list, or of several lines, or the one that it is. */
export function conversationsIn(text: JsonText): unknown[] {
  const value = text.valueAfter(/^\s*\[/u);
  return Array.isArray(value) ? value : (linesOf(text.written) ?? [text.valueAfter(/^\s*\{/u)]);
}

/** Returns the values of several lines of JSON; undefined for another text, and where one is broken. The first line decides whether the others are read. */
function linesOf(text: string): unknown[] | undefined {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const first = lines.length > 1 ? jsonOf(lines[0]!) : undefined;
  if (!isModelMessage(first) && !isModelChat(first)) return undefined;
  const values = lines.map(jsonOf);
  return values.includes(undefined) ? undefined : values;
}

function said(message: JsonRecord & { readonly role: string }, session: string): ChatMessage[] {
  const text = TALK.has(message.role) ? spokenText(message.content) : '';
  if (text === '') return [];
  const timestamp = timeOf(message.timestamp);
  const message_id = idOf(message.message_id ?? message.id);
  return [
    {
      session_id: idOf(message.session_id) ?? session,
      ...(message_id === undefined ? {} : { message_id }),
      ...(message.role === 'assistant' ? { role: 'assistant' } : {}),
      ...(typeof message.name === 'string' ? { speaker: speakerOf(message.name) } : {}),
      text,
      ...(timestamp === undefined ? {} : { timestamp }),
    },
  ];
}

function idOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
