import { cleanText } from '../../../core/text/clean.js';
import { LIMITS, LimitExceeded } from '../limits.js';
import { rowParts } from './rows.js';

/** @typedef {import('../parts.js').Part} Part */
/** @typedef {Record<string, unknown>} JsonRecord */

/** Records by which messages are told. */
const SAMPLE = 200;
/** Members of a message, as `ingest_message` takes them: with others it could not be ingested as one. */
const OF_MESSAGE = new Set('text session_id role speaker timestamp message_id domain'.split(' '));
/** The time of a message of Slack. */
const TS = /^\d{9,11}\.\d+$/u;
const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/gu;

/** A file of JSON that is no table: the message is `messages` or `other`. */
export class NoRecords extends Error {
  name = 'NoRecords';
}

/** A place that is no JSON, or no record; the message completes "<name> …". */
export class BrokenRecord extends Error {
  name = 'BrokenRecord';
}

/**
 * Returns the parts of a list of records as those of a table: a row each, the keys in the order in which they first stand being its columns. JSON
 * Lines may have the extension of JSON, and a list that of JSON Lines. Throws `NoRecords`, `BrokenRecord` and `LimitExceeded`.
 * @param {{ type: 'json' | 'jsonl', text: string }} job
 * @returns {{ parts: Iterable<Part> }}
 */
export function recordParts({ type, text: written }) {
  const text = written.replace(/^\ufeff/u, '');
  const records = /^\s*\[/u.test(text) ? listed(text, type) : linesOf(text, type);
  if (areMessages(records.slice(0, SAMPLE))) throw new NoRecords('messages');
  const table = tableOf(records);
  if (table.rows.length === 0) throw new NoRecords('other');
  return { parts: rowParts(table) };
}

/** @param {string} text @param {'json' | 'jsonl'} type @returns {JsonRecord[]} */
function listed(text, type) {
  let list;
  try {
    list = readJson(text);
  } catch (error) {
    // Lines that are lists of their own.
    if (type === 'jsonl' && isJson(text.trimStart().split('\n', 1)[0] ?? '')) throw new NoRecords('other');
    const line = lineOf(text, error);
    throw new BrokenRecord(`is no JSON${line === undefined ? '' : ` from line ${line} on`}; mend it`);
  }
  if (!Array.isArray(list) || list.length === 0 || !list.every(isRecord)) throw new NoRecords('other');
  return list;
}

/** Returns the line of what JSON.parse takes exception to, the last one where the text is cut off, undefined where it does not say. @param {string} text @param {unknown} error */
function lineOf(text, error) {
  const position = /position (\d+)/u.exec(String(error))?.[1];
  if (position === undefined && !/end of JSON/u.test(String(error))) return undefined;
  return text
    .trimEnd()
    .slice(0, Number(position ?? text.length))
    .split('\n').length;
}

/** @param {string} text */
function isJson(text) {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** @param {string} text @param {'json' | 'jsonl'} type @returns {JsonRecord[]} */
function linesOf(text, type) {
  /** @type {JsonRecord[]} */
  const records = [];
  let number = 0;
  for (let at = 0; at < text.length; ) {
    const next = text.indexOf('\n', at);
    const end = next < 0 ? text.length : next;
    const line = text.slice(at, end).trim();
    at = end + 1;
    number += 1;
    if (line === '') continue;
    const record = recordOf(line);
    // One object over several lines, or alone, is no list.
    if (type === 'json' && records.length === 0 && (record === undefined || text.slice(at).trim() === ''))
      throw new NoRecords(holdsChat(text) ? 'messages' : 'other');
    if (record === undefined && records.length === 0 && isJson(line)) throw new NoRecords('other');
    if (record === undefined) throw new BrokenRecord(`has no JSON object on line ${number}; mend or remove the line`);
    records.push(record);
  }
  return records;
}

/** @param {string} line @returns {JsonRecord | undefined} */
function recordOf(line) {
  try {
    const value = readJson(line);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Returns a value of JSON, numbers that JavaScript would write otherwise as the texts that they are. @param {string} json @returns {unknown} */
function readJson(json) {
  const value = JSON.parse(json);
  try {
    const kept = json.replace(STRING_OR_NUMBER, (token) =>
      token[0] === '"' || String(Number(token)) === token ? token : `"${token}"`,
    );
    return kept === json ? value : JSON.parse(kept);
  } catch (error) {
    // A text of millions of escapes is more than the expression takes.
    if (error instanceof RangeError) return value;
    throw error;
  }
}

/** @param {unknown} value @returns {value is JsonRecord} */
function isRecord(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns whether a file holds a chat, or all chats, as Telegram exports them: one object. @param {string} text */
function holdsChat(text) {
  const whole = recordOf(text) ?? {};
  const chats = isRecord(whole.chats) ? whole.chats.list : [whole];
  const hasMessages = (/** @type {unknown} */ chat) =>
    isRecord(chat) &&
    Array.isArray(chat.messages) &&
    chat.messages.some((one) => isRecord(one) && one.type === 'message' && typeof one.date === 'string');
  return Array.isArray(chats) && chats.some(hasMessages);
}

/** Returns whether records are messages of a conversation, as `--type messages` reads them. @param {JsonRecord[]} records */
function areMessages(records) {
  const ofSlack = records.filter(({ type, ts }) => type === 'message' && typeof ts === 'string' && TS.test(ts));
  if (ofSlack.length > records.length / 2) return true;
  const isMessage = (/** @type {JsonRecord} */ record) =>
    typeof record.text === 'string' && Object.keys(record).every((key) => OF_MESSAGE.has(key));
  return records.length > 0 && records.every(isMessage);
}

/** @param {JsonRecord[]} records */
function tableOf(records) {
  /** @type {Map<string, number>} */
  const columns = new Map();
  const rows = [];
  let cells = 0;
  for (const record of records) {
    /** @type {string[]} */
    const row = [];
    for (const [name, value] of fieldsOf(record)) {
      const column = columns.get(name) ?? columns.size;
      columns.set(name, column);
      while (row.length <= column) row.push('');
      const cell = cellOf(value);
      // A key may be written with a dot, too.
      row[column] = row[column] === '' || cell === '' ? row[column] + cell : `${row[column]}, ${cell}`;
    }
    if (columns.size > LIMITS.columns) {
      throw new LimitExceeded('columns', `has more than ${LIMITS.columns} different keys in its records; split it`);
    }
    cells += row.length;
    if (cells > LIMITS.cells) {
      throw new LimitExceeded(
        'cells',
        `would be a table of more than ${LIMITS.cells} cells; split it by kind of record`,
      );
    }
    if (row.some((cell) => cell !== '')) rows.push(row);
  }
  return { head: [...columns.keys()].map(cleanText), rows };
}

/** Yields what a record says, objects in it by names with a dot. @param {JsonRecord} record @returns {Generator<[string, unknown]>} */
function* fieldsOf(record) {
  for (const [name, value] of Object.entries(record)) {
    if (!isRecord(value)) yield [name, value];
    else for (const [inner, each] of Object.entries(value)) yield [`${name}.${inner}`, each];
  }
}

/** Returns a value as a cell: a list of plain values with commas, what is deeper as JSON. @param {unknown} value @returns {string} */
function cellOf(value) {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value) && !value.some((each) => typeof each === 'object' && each !== null))
    return value.map(cellOf).filter(Boolean).join(', ');
  if (isRecord(value) && Object.keys(value).length === 0) return '';
  return cleanText(typeof value === 'object' ? compact(value) : String(value)).trim();
}

/** @param {object} value */
function compact(value) {
  try {
    return JSON.stringify(value);
  } catch {
    throw new BrokenRecord('is nested too deeply; flatten it');
  }
}
