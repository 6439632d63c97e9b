import { dim, facts, section, shortened, table } from './output.js';

const WIDE = 24;

/** Formats any answer for people: single values as facts, lists of objects and maps of objects as tables. */
export function rendered(value: unknown): string {
  if (!isObject(value)) return String(value);
  const single: Array<readonly [string, unknown]> = [];
  const parts: string[] = [];
  for (const [name, member] of Object.entries(value)) {
    if (isRows(member)) parts.push(section(name, rowsTable(member)));
    else if (isMap(member))
      parts.push(section(name, rowsTable(Object.entries(member).map(([id, row]) => ({ id, ...row })))));
    else if (Array.isArray(member))
      single.push([name, member.length === 0 ? dim('(none)') : member.map(shownCell).join(', ')]);
    else single.push([name, shownCell(member)]);
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
      const of = (row: JsonRecord) => shownCell(row[name]);
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

function shownCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(6)));
  return shortened(typeof value === 'object' ? JSON.stringify(value) : String(value));
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
