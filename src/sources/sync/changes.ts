import type { DatabaseRow, TableInfo } from '../../backends/relational/port.js';

const NAMES = ['updated_at', 'modified_at'];
/** Read again before the last known time: rows of transactions that were still open then. */
const OVERLAP_MS = 10 * 60_000;

/** Returns an indexed column that holds the time of a row's last change; undefined where there is none. */
export function changeColumn(table: TableInfo): string | undefined {
  return table.columns.find(
    (column) => NAMES.includes(column.name.toLowerCase()) && table.indexed_columns.includes(column.name),
  )?.name;
}

/**
 * Returns the latest time among these rows and the one before, as ISO 8601, never later than `now`: a time in the
 * future would hide the changes until then.
 */
export function latestChange(
  before: string | null,
  rows: readonly DatabaseRow[],
  at: { readonly column: string; readonly now: number },
): string | null {
  let latest = before === null ? Number.NEGATIVE_INFINITY : Date.parse(before);
  for (const row of rows) {
    const time = timeOf(row[at.column]);
    if (time !== undefined && time > latest) latest = Math.min(time, at.now);
  }
  return Number.isFinite(latest) ? new Date(latest).toISOString() : null;
}

/** Returns what to compare the column with, as its engine writes times. Its session runs in UTC. */
export function sinceText(latest: string): string {
  return new Date(Date.parse(latest) - OVERLAP_MS).toISOString().slice(0, 19).replace('T', ' ');
}

function timeOf(value: unknown): number | undefined {
  if (typeof value !== 'string') return undefined;
  const match = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(\.\d{1,3})?\d*(?:Z|[+-]00(?::?00)?)?$/.exec(value);
  if (match === null) return undefined;
  const time = Date.parse(`${match[1]}T${match[2]}${match[3] ?? ''}Z`);
  return Number.isNaN(time) ? undefined : time;
}
