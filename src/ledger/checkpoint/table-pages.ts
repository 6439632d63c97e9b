import { sql } from 'kysely';
import type { ValueRow } from '../../backends/store/rows.js';
import type { Db } from '../../backends/store/schema.js';
import { pagesAfter } from '../groups.js';
import { type PagedTable, TABLES, type Table } from './table-columns.js';

const ROWS = 2000;

/** Which rows to read, by their keys. */
interface Stretch {
  /** Key before the first row; without it the rows from the start on. */
  readonly after?: ValueRow;
  /** Key of the last row; without it the rows to the end. */
  readonly upTo?: ValueRow;
}

/** Yields a table's rows as arrays in the order of its columns, a page at a time; bytes as hexadecimal text. */
export function pagesOf(
  db: Db,
  name: Table,
  { after: first = TABLES[name].start, upTo }: Stretch = {},
): AsyncGenerator<readonly ValueRow[]> {
  const { by, columns, keyOf }: PagedTable = TABLES[name];
  const order = sql.join(by.map((column) => sql.ref(column)));
  const end = upTo === undefined ? sql`` : sql`and (${order}) <= (${sql.join(upTo)})`;
  const names = Object.keys(columns);
  const read = async (after: ValueRow) => {
    const found = await sql<Record<string, string | number | null | Uint8Array>>`select * from ${sql.table(name)}
      where (${order}) > (${sql.join(after)}) ${end} order by ${order} limit ${ROWS}`.execute(db);
    return { rows: found.rows.map((row) => names.map((column) => storable(row[column] ?? null))) };
  };
  return pagesAfter(first, read, { placeOf: keyOf, lane: 'patient', size: ROWS });
}

function storable(value: string | number | null | Uint8Array): string | number | null {
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value;
}
