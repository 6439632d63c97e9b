import { withoutHalf } from '../../core/wording/whole-characters.js';
import { isChatgptChat, isClaudeChat, isModelChat } from '../parse/table/chat-records.js';
import { isRecord } from '../parse/table/record-table.js';
import type { JsonText } from './json-text.js';
import { conversationsIn } from './model-chat.js';

/** What an export lists beside its conversations: broken ones, and such as hold no message. */
export interface LeftOut {
  /** Entries of the list. */
  readonly listed: number;
  /** Those that are left out: the place of each, and its title where it has one. */
  readonly entries: readonly string[];
}

/** Characters of a title. */
const LONGEST_TITLE = 60;

/** Returns what is left out of an export of several conversations; undefined where all are read, and for another text. Pure. */
export function leftOutOf(text: JsonText): LeftOut | undefined {
  const listed = conversationsIn(text);
  const isWhole = [isChatgptChat, isClaudeChat, isModelChat].find((test) => listed.some(test));
  if (isWhole === undefined) return undefined;
  const entries = listed.flatMap((value, i) => (isWhole(value) ? [] : [`${i + 1}${titled(value)}`]));
  return entries.length === 0 ? undefined : { listed: listed.length, entries };
}

function titled(value: unknown): string {
  const title = isRecord(value) ? (value.title ?? value.name) : undefined;
  if (typeof title !== 'string' || title.trim() === '') return '';
  return ` (${JSON.stringify(withoutHalf(title.trim().slice(0, LONGEST_TITLE)))})`;
}
