import { wholeOf } from '../parse/table/chat-records.js';
import type { JsonRecord } from '../parse/table/record-table.js';
import { type ChatFile, type ChatMessage, type Conversation, sessionOf, timeOf } from './chat-message.js';

/** How an assistant exports its conversations. */
interface Assistant<Chat> {
  readonly speaker: string;
  readonly isChat: (value: unknown) => value is Chat;
  /** What the export calls the title of a conversation, and when it began. */
  readonly about: (chat: Chat) => { readonly title: unknown; readonly began: unknown };
  /** What the export calls the id of a conversation, and the ids of all its messages. */
  readonly ids: (chat: Chat) => { readonly own: unknown; readonly messages: readonly unknown[] };
  readonly messages: (chat: Chat) => readonly JsonRecord[];
  /** What a message says; an empty text where it is none that people see. */
  readonly said: (
    message: JsonRecord,
    chat: Chat,
  ) => {
    readonly id: unknown;
    readonly role: unknown;
    readonly time: unknown;
    readonly text: string;
  };
}

/**
 * Returns the messages of conversations that an assistant exported, one or a list of them: a session for each, named by its title and the minute when it
 * began. Undefined for another text. A message without a time was said after the one before.
 */
export function assistantMessages<Chat>(
  { text, name }: ChatFile,
  assistant: Assistant<Chat>,
): ChatMessage[] | undefined {
  const value = text.valueAfter(/^\s*[[{]/u);
  const chats = wholeOf(Array.isArray(value) ? value : [value], assistant.isChat);
  return chats?.flatMap((chat) => messagesOf(chat, name, assistant));
}

function messagesOf<Chat>(
  chat: Chat,
  name: string,
  { speaker, about, ids, messages, said }: Assistant<Chat>,
): ChatMessage[] {
  const { title, began } = about(chat);
  const named = typeof title === 'string' && title.trim() !== '' ? title : name;
  let timestamp = timeOf(began);
  const session_id = sessionOf(named, timestamp?.slice(0, 16).replace('T', ' '));
  const conversation = conversationOf(ids(chat));
  return messages(chat).flatMap((message): ChatMessage[] => {
    const { id, role, time, text } = said(message, chat);
    timestamp = timeOf(time) ?? timestamp;
    if (text === '') return [];
    return [
      {
        session_id,
        ...(typeof id === 'string' ? { message_id: id } : {}),
        ...(role === 'assistant' ? { role, speaker } : {}),
        text,
        ...(timestamp === undefined ? {} : { timestamp }),
        ...(conversation === undefined ? {} : { conversation }),
      },
    ];
  });
}

/** Returns what identifies a conversation; undefined where no message has an id. */
function conversationOf({ own, messages }: ReturnType<Assistant<unknown>['ids']>): Conversation | undefined {
  const written = messages.filter((id): id is string => typeof id === 'string' && id !== '');
  const [first] = written;
  if (first === undefined) return undefined;
  return { id: typeof own === 'string' && own !== '' ? own : first, messageIds: new Set(written) };
}
