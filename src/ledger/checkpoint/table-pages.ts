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
  { by, columns }: PagedTable,
): AsyncGenerator<ValueRow[]> {
  const pause = slicer();
  const order = sql.join(by.map((column) => sql.ref(column)));
  const start = by.map((column) => (columns[column] === 'text' ? '' : -1));
  for (let after: readonly (string | number)[] = start; ; ) {
    const found = await sql<Record<string, string | number | null | Uint8Array>>`select * from ${sql.table(name)}
      where (${order}) > (${sql.join(after)}) order by ${order} limit ${ROWS}`.execute(db);
    const last = found.rows.at(-1);
    if (last === undefined) return;
    const names = Object.keys(columns);
    yield found.rows.map((row) => names.map((column) => storable(row[column] ?? null)));
    after = by.map((column) => last[column] as string | number);
    await pause();
  }
}

function storable(value: string | number | null | Uint8Array): string | number | null {
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value;
}
