import { isRecord } from '../parse/table/record-table.js';
import type { JsonText } from './json-text.js';

/**
 * Returns what a file of JSON holds that is a list of messages, or one message over several lines: its objects, each to be checked as a line of JSON Lines
 * is. Undefined for another text. A file that a plain ingest leaves out as one of messages is read so. Pure.
 */
export function messageList(text: JsonText): readonly object[] | undefined {
  const value = text.valueAfter(/^\s*[[{]/u);
  const list = Array.isArray(value)
    ? (value as unknown[])
    : isMessage(value) && text.written.trim().includes('\n')
      ? [value]
      : [];
  return list.length > 0 && list.every(isRecord) ? list : undefined;
}

function isMessage(value: unknown): boolean {
  return isRecord(value) && 'text' in value && typeof value.text === 'string';
}
