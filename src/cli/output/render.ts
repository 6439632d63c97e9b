import { dim, facts, section, shortened, shown, table } from './output.js';

const WIDE = 24;
const BREAKDOWN = '_breakdown';

/** Formats any answer for people: single values as facts, lists of objects and maps of objects as tables. */
export function rendered(value: unknown): string {
  if (!isObject(value)) return String(value);
  const single: Array<readonly [string, unknown]> = [];
  const parts: string[] = [];
  for (const [name, member] of Object.entries(value)) {
    if (isRows(member)) parts.push(section(name, rowsTable(member)));
    else if (isMap(member)) {
      const key = name.endsWith(BREAKDOWN) ? name.slice(0, -BREAKDOWN.length) : 'id';
      parts.push(section(name, rowsTable(Object.entries(member).map(([id, row]) => ({ [key]: id, ...row })))));
    } else if (isEmpty(member)) single.push([name, dim('(none)')]);
    // What is not known or does not apply says nothing.
    else if (member !== null) single.push([name, shownCell(name, member)]);
  }
  return [...(single.length === 0 ? [] : [facts(single)]), ...parts].join('\n\n');
}

type JsonRecord = Record<string, unknown>;

function rowsTable(rows: readonly JsonRecord[]): string {
  // An id is there to be copied: it is never cut.
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return table(
    rows,
    names.map((name) => {
      const of = (row: JsonRecord) => shownCell(name, row[name]);
      const longest = Math.max(...rows.map((row) => of(row).length));
      return {
        title: name,
        of,
        right: rows.every((row) => typeof row[name] === 'number'),
        ...(longest > WIDE && !/(^|_)id$/.test(name) ? { wide: 1 } : {}),
      };
    }),
  );
}

function shownCell(name: string, value: unknown): string {
  if (typeof value === 'string' && name.endsWith('_at')) return timeOf(value);
  return shortened(shown(value));
}

/** Formats a time of ISO 8601 to the second. */
export function timeOf(time: string | null): string {
  return time === null ? '' : time.slice(0, 19).replace('T', ' ');
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

function isObject(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isRows(value: unknown): value is JsonRecord[] {
  return Array.isArray(value) && value.length > 0 && value.every(isObject);
}

function isMap(value: unknown): value is Record<string, JsonRecord> {
  return isObject(value) && Object.keys(value).length > 0 && Object.values(value).every(isObject);
}
