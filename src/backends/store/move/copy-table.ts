import { sql } from 'kysely';
import { isStorable, storableText } from '../../../core/text/clean.js';
import type { Db } from '../schema.js';
import { isPostgres } from '../sql.js';
import { copyCompared } from './copy-compared.js';
import { continueNumbers } from './numbers.js';
import { pagesOf, type Row, rowDigest, type Table } from './tables.js';

export interface CopiedTable {
  readonly name: string;
  readonly rows: number;
  /** Rows from whose texts characters were left out that PostgreSQL cannot keep: NUL, half a surrogate pair. */
  readonly cleaned: number;
}

/**
 * Copies a table into the target's, whose rows it replaces, and reads it there again. Throws where it reads otherwise. Two
 * times as many rows as there are pass `onRows`.
 */
export async function copyTable(
  { source, target }: { readonly source: Db; readonly target: Db },
  table: Table,
  onRows: (rows: number) => void,
): Promise<CopiedTable> {
  let cleaned = 0;
  async function* storable(): AsyncGenerator<Row[]> {
    for await (const page of pagesOf(source, table)) {
      const rows = isPostgres(target) ? page.map(storableRow) : page;
      cleaned += rows.filter((row, i) => row !== page[i]).length;
      yield rows;
    }
  }
  await sql`delete from ${sql.table(table.name)}`.execute(target);
  const rows = await copyCompared({
    what: `The table ${table.name}`,
    unit: 'rows',
    source: storable(),
    target: () => pagesOf(target, table),
    write: (page) => insertRows(target, table, page),
    digest: (row) => rowDigest(table, row),
    onItems: onRows,
  });
  await continueNumbers(source, target, table);
  return { name: table.name, rows, cleaned };
}

async function insertRows(db: Db, { name, columns }: Table, rows: readonly Row[]): Promise<void> {
  const values = rows.map((row) => sql`(${sql.join(columns.map((column) => row[column]))})`);
  await sql`insert into ${sql.table(name)} (${sql.join(columns.map((column) => sql.ref(column)))})
    values ${sql.join(values)}`.execute(db);
}

/** Returns a row as PostgreSQL can keep it; the same one where it can. */
function storableRow(row: Row): Row {
  const entries = Object.entries(row);
  if (entries.every(([, value]) => typeof value !== 'string' || isStorable(value))) return row;
  return Object.fromEntries(
    entries.map(([column, value]) => [column, typeof value === 'string' ? storableText(value) : value]),
  );
}
