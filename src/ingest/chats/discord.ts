import { isDiscordChannel } from '../parse/table/chat-records.js';
import { isRecord, recordsIn } from '../parse/table/record-table.js';
import { type ChatFile, type ChatMessage, sessionOf, speakerOf, timeOf } from './chat-message.js';
import { spokenText } from './content.js';

/** Kinds of messages in which somebody says something; the others tell who joined, what was pinned and the like. */
const SAID = new Set<unknown>(['Default', 'Reply']);
/** What the program calls conversations outside of a server. */
const DIRECT = 'Direct Messages';

/** Returns the messages of a channel of Discord as DiscordChatExporter writes it to JSON, a session for each day; undefined for another text. */
export function discordMessages({ text, name }: ChatFile): ChatMessage[] | undefined {
  const value = text.valueAfter(/^\s*\{/u);
  if (!isDiscordChannel(value)) return undefined;
  const { guild, channel, messages } = value;
  const server = guild.name === DIRECT ? '' : spokenText(guild.name);
  const title = `${server} ${spokenText(channel.name)}`.trim() || name;
  return recordsIn(messages).flatMap((message): ChatMessage[] => {
    const said = SAID.has(message.type) ? spokenText(message.content) : '';
    const timestamp = timeOf(message.timestamp);
    if (said === '' || timestamp === undefined) return [];
    const author = isRecord(message.author) ? message.author : {};
    const session_id = sessionOf(title, timestamp.slice(0, 10));
    const speaker = speakerOf(author.nickname, author.name);
    const message_id = typeof message.id === 'string' ? { message_id: message.id } : {};
    return [{ session_id, ...message_id, speaker, text: said, timestamp }];
  });
}
