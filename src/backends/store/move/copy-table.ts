import { sql } from 'kysely';
import { SvcError } from '../../../core/errors.js';
import { isStorable, storableText } from '../../../core/text/clean.js';
import type { Db } from '../schema.js';
import { isPostgres } from '../sql.js';
import { DigestSum } from './digest-sum.js';
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
  const [copied, found] = [new DigestSum(), new DigestSum()];
  let cleaned = 0;
  await sql`delete from ${sql.table(table.name)}`.execute(target);
  for await (const page of pagesOf(source, table)) {
    const rows = isPostgres(target) ? page.map(storableRow) : page;
    rows.forEach((row, i) => {
      copied.add(rowDigest(table, row));
      if (row !== page[i]) cleaned += 1;
    });
    await insertRows(target, table, rows);
    onRows(rows.length);
  }
  await continueNumbers(source, target, table);
  for await (const page of pagesOf(target, table)) {
    for (const row of page) found.add(rowDigest(table, row));
    onRows(page.length);
  }
  if (!found.equals(copied)) {
    const sentence = `The table ${table.name} reads otherwise in the target than in the source (${found.count} rows of ${copied.count}); nothing was moved. Run \`svc doctor\` on the source, and report this.`;
    throw new SvcError('unavailable', sentence);
  }
  return { name: table.name, rows: copied.count, cleaned };
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
