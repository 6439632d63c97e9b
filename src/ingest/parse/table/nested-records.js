import { readJson } from '../../../core/json/read-json.js';
import { saysNoMore } from './naming.js';
import { cellOf, fieldsOf, isRecord } from './record-table.js';

/** What a list of records begins with. */
const OPENS = /^\[\s*\{/u;
/** A longer list, in characters, stays as it is written. */
const LONGEST_LIST = 1 << 20;
/** A longer list is written with a line for each record. In characters. */
const LONGEST_LINE = 160;

/**
 * Returns a list of records, which a cell holds as JSON, as a person reads it: "bug (color: red), docs (color: blue)" where it is short and each
 * has a name, else with a line for each record, "- login: ada; body: Confirmed.", below an empty first line. Returns any other cell as it is.
 * @param {string} cell @param {(key: string) => string} labelOf
 */
export function readableCell(cell, labelOf) {
  const records = recordsIn(cell);
  if (records === undefined) return cell;
  const named = records.map((record) => namedRecord(record, labelOf));
  const line = named.join(', ');
  if (!named.includes(undefined) && line.length <= LONGEST_LINE && !line.includes('\n')) return line;
  return ['', ...records.map((record) => `- ${factsOf(record, labelOf).join('; ')}`)].join('\n');
}

/** Returns the fields of the records of a list that say something; undefined for what is no list of records. @param {string} cell @returns {Array<Array<[string, string]>> | undefined} */
function recordsIn(cell) {
  if (!OPENS.test(cell) || cell.length > LONGEST_LIST) return undefined;
  try {
    const list = readJson(cell);
    if (!Array.isArray(list) || !list.every(isRecord)) return undefined;
    const records = list.map(factsIn).filter((fields) => fields.length > 0);
    return records.length === 0 ? undefined : records;
  } catch {
    return undefined;
  }
}

/** @param {Record<string, unknown>} record @returns {Array<[string, string]>} */
function factsIn(record) {
  return [...fieldsOf(record)].flatMap(([key, value]) => {
    const cell = cellOf(value);
    return cell === '' ? [] : [[key, cell]];
  });
}

/** @param {Array<[string, string]>} fields @param {(key: string) => string} labelOf */
function factsOf(fields, labelOf) {
  return fields.map(([key, value]) => `${labelOf(key)}: ${value}`);
}

/** Returns a record as its name with what else it says in brackets; undefined for one without a name. @param {Array<[string, string]>} fields @param {(key: string) => string} labelOf */
function namedRecord(fields, labelOf) {
  const name = fields.find(([key]) => saysNoMore(key));
  if (name === undefined) return undefined;
  const others = factsOf(
    fields.filter((field) => field !== name),
    labelOf,
  );
  return others.length === 0 ? name[1] : `${name[1]} (${others.join('; ')})`;
}
