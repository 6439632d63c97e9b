import { isClaudeChat } from '../parse/table/chat-records.js';
import { type JsonRecord, recordsIn } from '../parse/table/record-table.js';
import { assistantMessages } from './assistants.js';
import { type ChatFile, type ChatMessage, LONGEST_TEXT, timeOf } from './chat-message.js';
import { spokenText } from './content.js';

type Chat = JsonRecord & { readonly chat_messages: unknown[] };

/**
 * Returns the messages of conversations that Claude exported to `conversations.json`, a session for each; undefined for another text. The text of a file
 * that was attached stands below the message. What the assistant thought and what tools did are no messages.
 */
export function claudeMessages(file: ChatFile): ChatMessage[] | undefined {
  return assistantMessages<Chat>(file, {
    speaker: 'Claude',
    isChat: isClaudeChat,
    about: ({ name, created_at }) => ({ title: name, began: created_at }),
    ids: (chat) => ({ own: chat.uuid, messages: recordsIn(chat.chat_messages).map(({ uuid }) => uuid) }),
    messages: ({ chat_messages }) => recordsIn(chat_messages),
    said: (message, chat) => ({
      id: message.uuid,
      role: message.sender,
      time: timeOf(message.created_at) ?? chat.created_at,
      text: textOf(message),
    }),
  });
}

function textOf({ text, content, attachments }: JsonRecord): string {
  // What `text` holds of tools is a note that they are not shown.
  let said = spokenText(content) || spokenText(text);
  for (const { file_name, extracted_content } of recordsIn(attachments)) {
    if (typeof extracted_content !== 'string' || extracted_content.trim() === '') continue;
    const named = typeof file_name === 'string' && file_name.trim() !== '' ? `${file_name.trim()}:\n` : '';
    const more = `${named}${extracted_content.trim()}`;
    if (said.length + more.length + 2 <= LONGEST_TEXT) said = said === '' ? more : `${said}\n\n${more}`;
  }
  return said;
}
