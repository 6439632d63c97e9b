import { isChatgptChat } from '../parse/table/chat-records.js';
import { isRecord, type JsonRecord } from '../parse/table/record-table.js';
import { assistantMessages } from './assistants.js';
import type { ChatFile, ChatMessage } from './chat-message.js';
import { spokenText } from './content.js';

type Chat = JsonRecord & { readonly mapping: JsonRecord };

/** Kinds of content that people see as text; the others are what tools, searches and reasoning wrote. */
const SAID = new Set(['text', 'multimodal_text']);
/** Marks of sources: `【12†notes.pdf】`, and those between signs of private use. */
const SOURCES = /【[^【】]{0,80}†[^【】]{0,200}】|\ue200[^\ue200\ue201]{0,2000}\ue201/gu;

/**
 * Returns the messages of conversations that ChatGPT exported to `conversations.json`, a session for each; undefined for another text. Of a message
 * that was edited or answered again there is what was read last. Instructions, tools and what is hidden from the conversation are no messages.
 */
export function chatgptMessages(file: ChatFile): ChatMessage[] | undefined {
  return assistantMessages<Chat>(file, {
    speaker: 'ChatGPT',
    isChat: isChatgptChat,
    about: ({ title, create_time }) => ({ title, began: create_time }),
    ids: (chat) => ({ own: chat.conversation_id ?? chat.id, messages: idsIn(chat) }),
    messages: branchOf,
    said: (message) => ({
      id: message.id,
      role: roleOf(message),
      time: message.create_time,
      text: textOf(message),
    }),
  });
}

function idsIn({ mapping }: Chat): unknown[] {
  return Object.values(mapping).map((node) => (isRecord(node) && isRecord(node.message) ? node.message.id : undefined));
}

/** Returns the messages from the first to the one that was read last, without other branches. */
function branchOf({ mapping, current_node }: Chat): JsonRecord[] {
  const ids = Object.keys(mapping);
  const branch: JsonRecord[] = [];
  const seen = new Set<unknown>();
  let id: unknown =
    typeof current_node === 'string' && Object.hasOwn(mapping, current_node) ? current_node : ids.at(-1);
  while (typeof id === 'string' && Object.hasOwn(mapping, id) && !seen.has(id)) {
    seen.add(id);
    const node = mapping[id];
    if (!isRecord(node)) break;
    if (isRecord(node.message)) branch.push(node.message);
    id = node.parent;
  }
  return branch.reverse();
}

function textOf(message: JsonRecord): string {
  const { content, metadata, recipient = 'all', weight } = message;
  const isHidden = isRecord(metadata) && metadata.is_visually_hidden_from_conversation === true;
  if (isHidden || weight === 0 || recipient !== 'all' || !isRecord(content)) return '';
  if (!['user', 'assistant'].includes(String(roleOf(message))) || !SAID.has(String(content.content_type))) return '';
  return spokenText(content.parts).replace(SOURCES, '').trim();
}

function roleOf({ author }: JsonRecord): unknown {
  return isRecord(author) ? author.role : undefined;
}
