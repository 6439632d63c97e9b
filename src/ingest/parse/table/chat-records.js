import { isRecord, recordsIn } from './record-table.js';

/** @typedef {import('./record-table.js').JsonRecord} JsonRecord */

/** Members of a message, as `ingest_message` takes them: with others it could not be ingested as one. */
const OF_MESSAGE = new Set('text session_id role speaker timestamp message_id domain'.split(' '));
/** The time of a message of Slack. */
const TS = /^\d{9,11}\.\d+$/u;
/** That of a message of Telegram. */
const DATE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/u;
/** Who speaks in a conversation with a language model, as its programs write it. */
const ROLES = new Set('user human assistant system developer tool function'.split(' '));

/** Roles of those who talk; the others instruct the model or tell what tools gave it. @type {ReadonlySet<string>} */
export const TALK = new Set(['user', 'human', 'assistant']);

/** Returns whether records are messages of a conversation, or conversations, as `--type messages` reads them. @param {JsonRecord[]} records */
export function areMessages(records) {
  if (records.length === 0) return false;
  const ofSlack = records.filter(({ type, ts }) => type === 'message' && typeof ts === 'string' && TS.test(ts));
  if (ofSlack.length > records.length / 2) return true;
  const isMessage = (/** @type {JsonRecord} */ record) =>
    typeof record.text === 'string' && Object.keys(record).every((key) => OF_MESSAGE.has(key));
  return records.every(isMessage) || areConversations(records) || areModelMessages(records);
}

/** Returns whether most values of a list are conversations of one kind: one that is broken or empty does not make the others a table. @param {unknown[]} values */
function areConversations(values) {
  return [isChatgptChat, isClaudeChat, isModelChat].some((test) => mostOf(values, test) !== undefined);
}

/** Returns the values of a list of conversations that are whole: one is enough, if nothing in the list is a message by itself. @template T @param {unknown[]} values @param {(value: unknown) => value is T} test @returns {T[] | undefined} */
export function wholeOf(values, test) {
  const found = values.filter(test);
  const isMessage = (/** @type {unknown} */ value) => isRecord(value) && typeof value.text === 'string';
  return found.length > 0 && !values.some(isMessage) ? found : undefined;
}

/** Returns the values of a list that are such; undefined where they are no more than half of it. @template T @param {unknown[]} values @param {(value: unknown) => value is T} test @returns {T[] | undefined} */
function mostOf(values, test) {
  const found = values.filter(test);
  return found.length > values.length / 2 ? found : undefined;
}

/** Returns whether values are messages as language models take them, one of which somebody says: instructions alone are no conversation. @param {unknown[]} values @returns {values is Array<JsonRecord & { role: string }>} */
export function areModelMessages(values) {
  return values.every(isModelMessage) && values.some(({ role }) => TALK.has(role));
}

/** Returns whether a file of one object holds a chat, or all chats, as Telegram, Discord or an assistant exports them. @param {JsonRecord} whole */
export function holdsChat(whole) {
  const chats = isRecord(whole.chats) ? whole.chats.list : [whole];
  const hasMessages = (/** @type {unknown} */ chat) =>
    isRecord(chat) && recordsIn(chat.messages).some(({ type, date }) => type === 'message' && DATE.test(String(date)));
  return (Array.isArray(chats) && chats.some(hasMessages)) || isDiscordChannel(whole);
}

/** Returns whether a value is a conversation as ChatGPT exports it: a tree of messages. @param {unknown} value @returns {value is JsonRecord & { mapping: JsonRecord }} */
export function isChatgptChat(value) {
  if (!isRecord(value) || !isRecord(value.mapping)) return false;
  const nodes = Object.values(value.mapping);
  const isNode = (/** @type {unknown} */ node) =>
    isRecord(node) && 'parent' in node && 'children' in node && 'message' in node;
  return nodes.length === 0 ? 'current_node' in value : nodes.some(isNode);
}

/** Returns whether a value is a conversation as Claude exports it. @param {unknown} value @returns {value is JsonRecord & { chat_messages: unknown[] }} */
export function isClaudeChat(value) {
  return isRecord(value) && Array.isArray(value.chat_messages) && 'uuid' in value;
}

/** Returns whether a value is a channel of Discord as DiscordChatExporter writes it. @param {unknown} value @returns {value is JsonRecord & { guild: JsonRecord, channel: JsonRecord, messages: unknown[] }} */
export function isDiscordChannel(value) {
  if (!isRecord(value) || !isRecord(value.guild) || !isRecord(value.channel) || !Array.isArray(value.messages))
    return false;
  // The settings of a program may have such members, too.
  return 'dateRange' in value || recordsIn(value.messages).some((one) => 'timestamp' in one && isRecord(one.author));
}

/** Returns whether a value is a message as language models take it: a role, and what is said as `content`. @param {unknown} value @returns {value is JsonRecord & { role: string }} */
export function isModelMessage(value) {
  if (!isRecord(value) || typeof value.role !== 'string' || !ROLES.has(value.role) || 'text' in value) return false;
  const { content = null } = value;
  // An assistant that calls a tool says nothing.
  return typeof content === 'string' || Array.isArray(content) || (content === null && value.role === 'assistant');
}

/** Returns whether a value is a conversation with a language model: an object with a list of such messages. @param {unknown} value @returns {value is JsonRecord & { messages: unknown[] }} */
export function isModelChat(value) {
  return isRecord(value) && Array.isArray(value.messages) && areModelMessages(value.messages);
}
