import { areMost, isClaudeChat } from '../parse/table/chat-records.js';
import { type JsonRecord, recordsIn } from '../parse/table/record-table.js';
import { type ChatFile, type ChatMessage, sessionOf, timeOf } from './chat-message.js';
import { spokenText } from './content.js';

type Chat = JsonRecord & { readonly chat_messages: unknown[] };

/** Characters of a message, as `ingest_message` takes it. */
const LONGEST = 1_000_000;

/**
 * Returns the messages of conversations that Claude exported to `conversations.json`, a session for each; undefined for another text. The text of a file
 * that was attached stands below the message. What the assistant thought and what tools did are no messages.
 */
export function claudeMessages({ text, name }: ChatFile): ChatMessage[] | undefined {
  const value = text.valueAfter(/^\s*[[{]/u);
  const chats: unknown[] = Array.isArray(value) ? value : [value];
  return areMost(chats, isClaudeChat)
    ? chats.filter(isClaudeChat).flatMap((chat) => messagesOf(chat, name))
    : undefined;
}

function messagesOf(chat: Chat, name: string): ChatMessage[] {
  const title = typeof chat.name === 'string' && chat.name.trim() !== '' ? chat.name : name;
  const began = timeOf(chat.created_at);
  const session_id = sessionOf(title, began?.slice(0, 16).replace('T', ' '));
  return recordsIn(chat.chat_messages).flatMap((message): ChatMessage[] => {
    const text = textOf(message);
    if (text === '') return [];
    const timestamp = timeOf(message.created_at) ?? began;
    return [
      {
        session_id,
        ...(typeof message.uuid === 'string' ? { message_id: message.uuid } : {}),
        ...(message.sender === 'assistant' ? { role: 'assistant', speaker: 'Claude' } : {}),
        text,
        ...(timestamp === undefined ? {} : { timestamp }),
      },
    ];
  });
}

function textOf({ text, content, attachments }: JsonRecord): string {
  // What `text` holds of tools is a note that they are not shown.
  let said = spokenText(content) || spokenText(text);
  for (const { file_name, extracted_content } of recordsIn(attachments)) {
    if (typeof extracted_content !== 'string' || extracted_content.trim() === '') continue;
    const named = typeof file_name === 'string' && file_name.trim() !== '' ? `${file_name.trim()}:\n` : '';
    const more = `${named}${extracted_content.trim()}`;
    if (said.length + more.length + 2 <= LONGEST) said = said === '' ? more : `${said}\n\n${more}`;
  }
  return said;
}
