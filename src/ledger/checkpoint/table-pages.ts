import { type Kysely, sql } from 'kysely';
import type { ColumnTypes, ValueRow } from '../../backends/store/rows.js';
import type { Database } from '../../backends/store/schema.js';
import { slicer } from '../../core/slices.js';

export interface PagedTable {
  /** Columns of its key, in the order in which it is paged. */
  readonly by: readonly string[];
  readonly columns: ColumnTypes;
}

const ROWS = 2000;

/** Yields a table's rows as arrays in the order of its columns, a page at a time; bytes as hexadecimal text. */
export async function* pagesOf(
  db: Kysely<Database>,
  name: keyof Database & string,
  table: PagedTable,
): AsyncGenerator<readonly ValueRow[]> {
  const pause = slicer();
  const places = table.by.map((column) => columnsOf(table).indexOf(column));
  for (let after = startOf(table); ; ) {
    const rows = await pageOf(db, name, { table, after, upTo: undefined });
    if (rows.length === 0) return;
    yield rows;
    after = places.map((place) => rows.at(-1)![place]!);
    await pause();
  }
}

/** Returns the rows after a key, up to another (or the last): a page of them, in the order of the key. */
export async function pageOf(
  db: Kysely<Database>,
  name: keyof Database & string,
  { table, after, upTo }: { readonly table: PagedTable; readonly after: ValueRow; readonly upTo: ValueRow | undefined },
): Promise<ValueRow[]> {
  const order = sql.join(table.by.map((column) => sql.ref(column)));
  const end = upTo === undefined ? sql`` : sql`and (${order}) <= (${sql.join(upTo)})`;
  const found = await sql<Record<string, string | number | null | Uint8Array>>`select * from ${sql.table(name)}
    where (${order}) > (${sql.join(after)}) ${end} order by ${order} limit ${ROWS}`.execute(db);
  const names = columnsOf(table);
  return found.rows.map((row) => names.map((column) => storable(row[column] ?? null)));
}

/** Returns a key before all others. */
export function startOf({ by, columns }: PagedTable): ValueRow {
  return by.map((column) => (columns[column] === 'text' ? '' : -1));
}

export function columnsOf({ columns }: PagedTable): string[] {
  return Object.keys(columns);
}

function storable(value: string | number | null | Uint8Array): string | number | null {
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value;
}
