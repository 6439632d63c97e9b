import { sql } from 'kysely';
import type { ColumnTypes, ValueRow } from '../../backends/store/rows.js';
import type { Database, Db } from '../../backends/store/schema.js';
import { slicer } from '../../core/async/slices.js';

export interface PagedTable {
  /** Columns of its key, in the order in which it is paged. */
  readonly by: readonly string[];
  readonly columns: ColumnTypes;
}

const ROWS = 2000;

/** Yields a table's rows as arrays in the order of its columns, a page at a time; bytes as hexadecimal text. */
export async function* pagesOf(
  db: Db,
  name: keyof Database & string,
  {
    table,
    after: start,
    upTo,
  }: {
    readonly table: PagedTable;
    /** Key before the first row; without it the rows from the start on. */
    readonly after?: ValueRow;
    /** Key of the last row; without it the rows to the end. */
    readonly upTo?: ValueRow | undefined;
  },
): AsyncGenerator<readonly ValueRow[]> {
  const pause = slicer();
  const keyOf = keysOf(table);
  for (let after = start ?? startOf(table); ; ) {
    const rows = await pageOf(db, name, { table, after, upTo });
    if (rows.length === 0) return;
    yield rows;
    after = keyOf(rows.at(-1)!);
    await pause();
  }
}

async function pageOf(
  db: Db,
  name: keyof Database & string,
  { table, after, upTo }: { readonly table: PagedTable; readonly after: ValueRow; readonly upTo: ValueRow | undefined },
): Promise<ValueRow[]> {
  const order = sql.join(table.by.map((column) => sql.ref(column)));
  const end = upTo === undefined ? sql`` : sql`and (${order}) <= (${sql.join(upTo)})`;
  const found = await sql<Record<string, string | number | null | Uint8Array>>`select * from ${sql.table(name)}
    where (${order}) > (${sql.join(after)}) ${end} order by ${order} limit ${ROWS}`.execute(db);
  const names = Object.keys(table.columns);
  return found.rows.map((row) => names.map((column) => storable(row[column] ?? null)));
}

/** Returns what takes the key out of a row. */
export function keysOf({ by, columns }: PagedTable): (row: ValueRow) => ValueRow {
  const names = Object.keys(columns);
  const places = by.map((column) => names.indexOf(column));
  return (row) => places.map((place) => row[place]!);
}

/** Returns a key before all others. */
export function startOf({ by, columns }: PagedTable): ValueRow {
  return by.map((column) => (columns[column] === 'text' ? '' : -1));
}

function storable(value: string | number | null | Uint8Array): string | number | null {
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value;
}
