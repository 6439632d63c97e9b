import { isRecord } from '../parse/table/record-table.js';
import { type ChatFile, type ChatMessage, speakerOf } from './chat-message.js';
import type { JsonText } from './json-text.js';

/** A chat as Telegram Desktop exports it to `result.json`. */
interface TelegramChat {
  readonly name?: unknown;
  readonly messages: readonly unknown[];
}

interface TelegramMessage {
  readonly id: number;
  readonly type: 'message';
  /** Local time without a zone. */
  readonly date: string;
  readonly from?: unknown;
  /** A text, or its pieces: what is a link, bold or a name is an object. */
  readonly text?: unknown;
}

const DATE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/;

/** Returns the messages of a chat, or of all chats, that Telegram exported as JSON; undefined for another text. */
export function telegramMessages({ text, name }: ChatFile): ChatMessage[] | undefined {
  const chats = chatsIn(text);
  return chats?.flatMap((chat) => {
    const title = typeof chat.name === 'string' && chat.name.trim() !== '' ? chat.name.trim() : name;
    return chat.messages.filter(isMessage).flatMap((one): ChatMessage[] => {
      const said = plain(one.text).trim();
      const session_id = `${title} ${one.date.slice(0, 10)}`;
      const message = { session_id, message_id: String(one.id), speaker: speakerOf(one.from), text: said };
      return said === '' ? [] : [{ ...message, timestamp: `${one.date}Z` }];
    });
  });
}

/** Returns the chats of an export: one of them, or the list of all; undefined for another text. */
function chatsIn(text: JsonText): TelegramChat[] | undefined {
  const value = text.valueAfter(/^\s*\{\s*"/u);
  if (!isRecord(value)) return undefined;
  const list = isRecord(value.chats) ? value.chats.list : [value];
  if (!Array.isArray(list)) return undefined;
  const chats = list.filter(isChat);
  return chats.length > 0 ? chats : undefined;
}

function isChat(value: unknown): value is TelegramChat {
  return isRecord(value) && Array.isArray(value.messages) && value.messages.some(isDated);
}

/** Returns true for a message, and for a note of the service: who joined, who called. */
function isDated(value: unknown): value is { readonly type?: unknown } {
  return isRecord(value) && Number.isSafeInteger(value.id) && typeof value.date === 'string' && DATE.test(value.date);
}

function isMessage(value: unknown): value is TelegramMessage {
  return isDated(value) && value.type === 'message';
}

function plain(text: unknown): string {
  if (typeof text === 'string') return text;
  if (!Array.isArray(text)) return textIn(text);
  return text.map((piece: unknown) => (typeof piece === 'string' ? piece : textIn(piece))).join('');
}

function textIn(piece: unknown): string {
  return isRecord(piece) && typeof piece.text === 'string' ? piece.text : '';
}
