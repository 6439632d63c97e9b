import { cutOffOn, jsonFault } from '../../core/json/json-fault.js';
import { counted } from '../../core/wording/counted.js';
import { isModelChat, isModelMessage } from '../parse/table/chat-records.js';
import { type JsonText, jsonOf } from './json-text.js';

/** How a value of JSON begins that may be an export. */
const JSON_VALUE = /^\s*[[{]/u;

/** How exports begin, by the program that writes them. */
const BEGINNINGS: ReadonlyArray<readonly [string, RegExp]> = [
  ['Telegram', /^\s*\{[\s\S]{0,4000}?"(?:messages"\s*:\s*\[\s*\{\s*"id"\s*:\s*\d|chats"\s*:\s*\{)/u],
  ['Slack', /^\s*\[\s*\{[\s\S]{0,4000}?"ts"\s*:\s*"\d{9,11}\.\d/u],
  [
    'ChatGPT',
    /^\s*\[?\s*\{(?:[\s\S]{0,4000}?"mapping"\s*:\s*\{|\s*"title"\s*:\s*(?:null|"[^"]{0,4000}")\s*,\s*"create_time")/u,
  ],
  ['Claude', /^\s*\[?\s*\{(?:[\s\S]{0,4000}?"chat_messages"\s*:\s*\[|\s*"uuid"\s*:\s*"[^"]{0,100}"\s*,\s*"name"\s*:)/u],
  ['DiscordChatExporter', /^\s*\{\s*"guild"\s*:\s*\{/u],
];

/**
 * Returns why a file holds no messages where no single line of it is to blame: it is empty, an export that was cut off or has no messages, or
 * one JSON object over several lines that is no message. The reason completes "<file> …". Undefined for another file. Pure.
 */
export function unreadableExport(json: JsonText): string | undefined {
  const text = json.written.trim();
  if (text === '') return 'is empty; there is nothing to ingest.';
  if (!JSON_VALUE.test(text)) return undefined;
  const whole = json.valueAfter(JSON_VALUE);
  if (whole === undefined) {
    const broken = brokenLine(text);
    if (broken !== undefined) return `has no JSON on line ${broken}; mend or remove the line.`;
    return cutOffExport(json) ?? cutOff(text);
  }
  if (Array.isArray(whole) && whole.length === 0) return 'holds an empty list; there is nothing to ingest.';
  const { messages, chats, type } = whole as Readonly<Record<'messages' | 'chats' | 'type', unknown>>;
  const isEmpty = Array.isArray(messages) && messages.length === 0;
  // Telegram says which kind of chat it is, and lists chats below a member of theirs.
  if ((isEmpty && typeof type === 'string') || Array.isArray((chats as { readonly list?: unknown } | null)?.list))
    return 'is a chat as Telegram exports it, without a message; export it again with its messages.';
  if (isEmpty) return 'has an empty list of messages; there is nothing to ingest.';
  return Array.isArray(whole) || !text.includes('\n')
    ? undefined
    : 'is one JSON object over several lines, and no chat that a program exported; write a message as {"text": "…", "speaker": "…", "timestamp": "…"} on one line.';
}

/** Returns the program whose exports begin like a text of JSON; undefined for another text. Pure. */
export function programOf(text: string): string | undefined {
  return BEGINNINGS.find(([, beginning]) => beginning.test(text))?.[0];
}

/** Returns that a file begins like the export of a program and is no whole JSON, as `unreadableExport` does; undefined for another file. Pure. */
export function cutOffExport(json: JsonText): string | undefined {
  const text = json.written.trim();
  if (!JSON_VALUE.test(text) || json.valueAfter(JSON_VALUE) !== undefined) return undefined;
  const program = programOf(text);
  if (program === undefined || jsonOf(text.split('\n', 1)[0]!) !== undefined) return undefined;
  const length = counted(text.split('\n').length, 'line');
  return `begins as a chat that ${program} exported, and is cut off or damaged (it has ${length}); export it again.`;
}

/** Returns that a text of JSON ends within a value; undefined for another text. */
function cutOff(text: string): string | undefined {
  try {
    JSON.parse(text);
  } catch (error) {
    const { line, isCutOff } = jsonFault(text, error);
    if (isCutOff) return `${cutOffOn(line)}.`;
  }
  return undefined;
}

/** Returns the number of the first line that is no JSON in a log of messages for language models; undefined for another text. */
function brokenLine(text: string): number | undefined {
  const lines = text.split('\n');
  const first = jsonOf(lines[0]!);
  if (!isModelMessage(first) && !isModelChat(first)) return undefined;
  const at = lines.findIndex((line) => line.trim() !== '' && jsonOf(line) === undefined);
  return at < 0 ? undefined : at + 1;
}
