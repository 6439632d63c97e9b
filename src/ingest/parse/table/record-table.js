import { cleanText } from '../../../core/text/clean.js';
import { LIMITS, LimitExceeded } from '../limits.js';

/** @typedef {Record<string, unknown>} JsonRecord */

/** A place that is no JSON, or no record; the message completes "<name> …". */
export class BrokenRecord extends Error {
  name = 'BrokenRecord';
}

/** @param {unknown} value @returns {value is JsonRecord} */
export function isRecord(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the objects of a list; none of what is no list. @param {unknown} list @returns {JsonRecord[]} */
export function recordsIn(list) {
  return Array.isArray(list) ? list.filter(isRecord) : [];
}

/** Returns records as a table; throws `LimitExceeded`. @param {JsonRecord[]} records */
export function tableOf(records) {
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
export function* fieldsOf(record) {
  for (const [name, value] of Object.entries(record)) {
    if (!isRecord(value)) yield [name, value];
    else for (const [inner, each] of Object.entries(value)) yield [`${name}.${inner}`, each];
  }
}

/** Returns a value as a cell: a list of plain values with commas, what is deeper as JSON. @param {unknown} value @returns {string} */
export function cellOf(value) {
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
