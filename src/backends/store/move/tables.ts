import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { groupBy } from '../../../core/group-by.js';
import type { Db } from '../schema.js';
import { isPostgres } from '../sql.js';

/** A table of the store, whose columns and key are the same on both dialects. */
export interface Table {
  readonly name: string;
  readonly columns: readonly string[];
  /** Columns of its primary key. */
  readonly key: readonly string[];
}

export type Row = Readonly<Record<string, string | number | Buffer | null>>;

/** Rows of a page, at most, and what they should not outgrow by much. */
const MOST_ROWS = 500;
const PAGE_BYTES = 4 * 2 ** 20;
/** Rows of a table's first page: before it nothing is known of their size. */
const FIRST_ROWS = 20;

/** Returns the names of the tables that a database has, of whatever program. */
export async function tableNames(db: Db): Promise<Set<string>> {
  const { rows } = await (isPostgres(db)
    ? sql<{ name: string }>`select tablename as name from pg_tables where schemaname = current_schema()`
    : sql<{ name: string }>`select name from sqlite_master where type = 'table'`
  ).execute(db);
  return new Set(rows.map(({ name }) => name));
}

/** Returns the tables of a store on SQLite, by name. */
export async function tablesOf(sqlite: Db): Promise<Table[]> {
  const { rows } = await sql<{ table: string; column: string; key: number }>`
    select t.name as "table", c.name as "column", c.pk as "key"
    from sqlite_master t join pragma_table_info(t.name) c
    where t.type = 'table' and t.name not like 'sqlite~_%' escape '~' order by t.name, c.cid`.execute(sqlite);
  return [...groupBy(rows, (row) => row.table)].map(([name, columns]) => ({
    name,
    columns: columns.map(({ column }) => column),
    key: columns
      .filter(({ key }) => key > 0)
      .sort((a, b) => a.key - b.key)
      .map(({ column }) => column),
  }));
}

/** Yields the rows of a table in the order of its key, in pages of a few megabytes. */
export async function* pagesOf(db: Db, { name, columns, key }: Table): AsyncGenerator<Row[]> {
  const [selected, ordered] = [columns, key].map((names) => sql.join(names.map((column) => sql.ref(column))));
  let limit = FIRST_ROWS;
  for (let last: Row | undefined; ; ) {
    const from = last;
    const after =
      from === undefined ? sql`` : sql`where (${ordered}) > (${sql.join(key.map((column) => from[column]))})`;
    const { rows } = await sql<Row>`
      select ${selected} from ${sql.table(name)} ${after} order by ${ordered} limit ${limit}`.execute(db);
    if (rows.length > 0) yield rows;
    if (rows.length < limit) return;
    last = rows.at(-1);
    const bytes = rows.reduce((sum, row) => sum + sizeOf(row), 0);
    limit = Math.max(1, Math.min(MOST_ROWS, Math.floor((rows.length * PAGE_BYTES) / bytes)));
  }
}

/** Returns the SHA-256 of a row as it reads on either dialect. */
export function rowDigest({ columns }: Table, row: Row): Buffer {
  const hash = createHash('sha256');
  for (const column of columns) {
    const value = row[column]!;
    if (Buffer.isBuffer(value)) hash.update(`${value.length} bytes:`).update(value);
    else hash.update(typeof value === 'string' ? JSON.stringify(value) : `${value},`);
  }
  return hash.digest();
}

function sizeOf(row: Row): number {
  return Object.values(row).reduce<number>(
    (sum, value) => sum + (typeof value === 'number' || value === null ? 8 : 8 + value.length),
    0,
  );
}
