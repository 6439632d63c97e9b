import { cutOffOn, jsonFault } from '../../../core/json/json-fault.js';
import { readJson } from '../../../core/json/read-json.js';
import { cleanText } from '../../../core/text/clean.js';
import { treeOf } from '../../../core/wording/secrets.js';
import { areCsl, cslReference } from '../literature/csl.js';
import { partsOf } from '../literature/literature.js';
import { structureParts } from '../structure/structure.js';
import { areMessages, holdsChat } from './chat-records.js';
import { isKeepNote, keepNote } from './keep-note.js';
import { BrokenRecord, isRecord, tableOf } from './record-table.js';
import { rowParts } from './rows.js';

/** @typedef {import('../parts.js').Part} Part */
/** @typedef {import('./record-table.js').JsonRecord} JsonRecord */

/** Records by which messages are told. */
const SAMPLE = 200;

/** A file of JSON that is no document: the message is `messages`, `empty`, `none` for a list of nothing, `trashed` for a note that was thrown away, `broken` for what may be JSON with comments, or `other`. */
export class NoRecords extends Error {
  name = 'NoRecords';
}

/**
 * Returns the parts of a list of records as those of a table: a row each, the keys in the order in which they first stand being its columns. JSON
 * Lines may have the extension of JSON, and a list that of JSON Lines. One object of JSON is read as its keys and values, a note of Google Keep as a note. Throws `NoRecords`, `BrokenRecord` and `LimitExceeded`.
 * @param {{ type: 'json' | 'jsonl', text: string }} job
 * @returns {{ title?: string, parts: Iterable<Part> }}
 */
export function recordParts({ type, text: written }) {
  const text = written.replace(/^\ufeff/u, '');
  const records = /^\s*\[/u.test(text) ? listed(text, type) : linesOf(text, type);
  if (records === undefined) {
    const object = objectIn(text);
    if (isKeepNote(object)) {
      if (object.isTrashed) throw new NoRecords('trashed');
      return keepNote(object);
    }
    return { parts: structureParts(() => treeOf(object, (leaf) => cleanText(String(leaf ?? '')))) };
  }
  if (areMessages(records.slice(0, SAMPLE))) throw new NoRecords('messages');
  if (areCsl(records.slice(0, SAMPLE))) return { parts: partsOf(records.map(cslReference)) };
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
    const { line, isCutOff } = jsonFault(text, error);
    if (isCutOff) throw new BrokenRecord(cutOffOn(line));
    throw new BrokenRecord(`is no JSON${line === undefined ? '' : ` from line ${line} on`}; mend it`);
  }
  if (Array.isArray(list) && list.length === 0) throw new NoRecords('none');
  if (!Array.isArray(list) || !list.every(isRecord)) throw new NoRecords('other');
  return list;
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

/** Returns the records of the lines; undefined where the text rather is one object. @param {string} text @param {'json' | 'jsonl'} type @returns {JsonRecord[] | undefined} */
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
    if (type === 'json' && records.length === 0 && (record === undefined || text.slice(at).trim() === '')) return;
    if (record === undefined && records.length === 0 && isJson(line)) throw new NoRecords('other');
    if (record === undefined) throw new BrokenRecord(`has no JSON object on line ${number}; mend or remove the line`);
    records.push(record);
  }
  return records;
}

/** Returns the object that a text is, if it is no message and no chat. @param {string} text @returns {JsonRecord} */
function objectIn(text) {
  const value = recordOf(text);
  if (value === undefined) throw new NoRecords(/^\s*\{/u.test(text) ? 'broken' : 'other');
  if (holdsChat(value) || areMessages([value])) throw new NoRecords('messages');
  if (Object.keys(value).length === 0) throw new NoRecords('empty');
  return value;
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
