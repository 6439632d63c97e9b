import SqliteDatabase from 'better-sqlite3';
import { slicer } from '../../../core/async/slices.js';
import { SvcError } from '../../../core/errors.js';
import { type DeleteRule, type ForeignKey, NOT_COUNTED, type TableInfo, type TableName } from '../port.js';
import { quoted } from '../quoting.js';
import { checksOf } from './sqlite-checks.js';
import { isLocked, patiently } from './sqlite-errors.js';

type Db = SqliteDatabase.Database;

const EXACT_UP_TO = 100_000;

interface SchemaRow {
  readonly type: 'table' | 'view';
  readonly name: string;
  readonly sql: string | null;
}

/**
 * Returns the tables of a SQLite file; it gives way to the event loop between tables. One that SQLite cannot read (a
 * view over a dropped table, a virtual table whose module is not here) is listed by its name, without columns.
 */
export async function introspectSqlite(
  db: Db,
  { schemas, views }: { readonly schemas: readonly string[]; readonly views: boolean },
): Promise<TableInfo[]> {
  const absent = schemas.find((schema) => schema !== 'main' && schema !== 'public');
  if (absent !== undefined) {
    throw new SvcError('invalid_input', `schemas names ${JSON.stringify(absent)}; a SQLite file has only "main".`, {
      member: 'schemas',
    });
  }
  const rows = await patiently(() => db.prepare(TABLES).all() as SchemaRow[]);
  const names = new Map(rows.map((row) => [row.name.toLowerCase(), row.name]));
  const pause = slicer();
  const tables: TableInfo[] = [];
  for (const row of rows.filter((candidate) => views || candidate.type === 'table')) {
    tables.push(await patiently(() => readable(row, () => tableInfo(db, row, names))));
    await pause();
  }
  return tables;
}

/** Returns the names of the tables of a SQLite file. */
export async function namesInSqlite(db: Db): Promise<TableName[]> {
  const rows = await patiently(() => db.prepare(TABLES).all() as SchemaRow[]);
  return rows.filter(({ type }) => type === 'table').map(({ name }) => ({ schema: 'main', name }));
}

/**
 * Not SQLite's own tables, nor those in which a virtual table, such as a full-text index, keeps what it shows itself.
 */
const TABLES = `
  select s.type, s.name, s.sql from sqlite_schema s
   where s.type in ('table', 'view') and s.name not like 'sqlite\\_%' escape '\\'
     and s.name not in (select name from pragma_table_list where schema = 'main' and type = 'shadow')
   order by s.name`;

function readable({ name, type }: SchemaRow, read: () => TableInfo): TableInfo {
  try {
    return read();
  } catch (error) {
    if (isLocked(error) || !(error instanceof SqliteDatabase.SqliteError)) throw error;
    return {
      schema: 'main',
      name,
      kind: type,
      columns: [],
      ...NOT_COUNTED,
      pk_columns: [],
      foreign_keys: [],
      unique_constraints: [],
      check_constraints: [],
      indexed_columns: [],
    };
  }
}

interface ColumnRow {
  readonly name: string;
  readonly type: string;
  readonly notnull: number;
  readonly pk: number;
}

function tableInfo(db: Db, { type, name, sql }: SchemaRow, names: ReadonlyMap<string, string>): TableInfo {
  const columns = db
    .prepare('select name, type, "notnull", pk from pragma_table_xinfo(?) where hidden in (0, 2, 3)')
    .all(name) as ColumnRow[];
  const key = columns.filter((column) => column.pk > 0).sort((a, b) => a.pk - b.pk);
  const indexes = db.prepare('select name, origin from pragma_index_list(?) order by name').all(name) as Array<{
    name: string;
    origin: string;
  }>;
  const indexColumns = (index: string): string[] =>
    (
      db.prepare('select name from pragma_index_info(?) order by seqno').all(index) as Array<{ name: string | null }>
    ).flatMap((row) => (row.name === null ? [] : [row.name]));
  return {
    schema: 'main',
    name,
    kind: type,
    columns: columns.map((column) => ({
      name: column.name,
      type: column.type,
      nullable: column.notnull === 0 && column.pk === 0,
    })),
    ...(type === 'view' ? NOT_COUNTED : rowCount(db, name, columns)),
    pk_columns: key.map((column) => column.name),
    foreign_keys: foreignKeys(db, name, names),
    unique_constraints: indexes.filter((index) => index.origin === 'u').map((index) => indexColumns(index.name)),
    check_constraints: sql === null || type === 'view' ? [] : checksOf(sql),
    indexed_columns: [
      ...new Set([...key.slice(0, 1).map((c) => c.name), ...indexes.flatMap((i) => indexColumns(i.name).slice(0, 1))]),
    ],
  };
}

interface ForeignKeyRow {
  readonly id: number;
  readonly table: string;
  readonly from: string;
  readonly to: string | null;
  readonly on_delete: DeleteRule;
}

/** Returns the foreign keys. SQLite compares names without case, so they are given here as the other table has them. */
function foreignKeys(db: Db, table: string, names: ReadonlyMap<string, string>): ForeignKey[] {
  const rows = db
    .prepare('select id, "table", "from", "to", on_delete from pragma_foreign_key_list(?) order by id, seq')
    .all(table) as ForeignKeyRow[];
  const byId = new Map<number, ForeignKeyRow[]>();
  for (const row of rows) byId.set(row.id, [...(byId.get(row.id) ?? []), row]);
  return [...byId.values()].map((parts) => {
    const target = names.get(parts[0]?.table.toLowerCase() ?? '') ?? parts[0]?.table ?? '';
    const theirs = db.prepare('select name, pk from pragma_table_info(?) order by pk').all(target) as Array<{
      name: string;
      pk: number;
    }>;
    const spelled = (name: string): string =>
      theirs.find((column) => column.name.toLowerCase() === name.toLowerCase())?.name ?? name;
    const named = parts.flatMap((part) => (part.to === null ? [] : [spelled(part.to)]));
    const columns = parts.map((part) => part.from);
    return {
      name: `${table}_${columns.join('_')}_fkey`,
      columns,
      references: {
        schema: 'main',
        table: target,
        columns: named.length === parts.length ? named : theirs.filter((c) => c.pk > 0).map((c) => c.name),
      },
      on_delete: parts[0]?.on_delete ?? 'NO ACTION',
    };
  });
}

/**
 * Returns the row count: exact up to 100,000 rows, beyond that the highest row number where the table has one, marked
 * as an estimate.
 */
function rowCount(
  db: Db,
  name: string,
  columns: readonly ColumnRow[],
): Pick<TableInfo, 'row_count' | 'row_count_estimated'> {
  const { n } = db
    .prepare(`select count(*) as n from (select 1 from ${quoted(name)} limit ${EXACT_UP_TO + 1})`)
    .get() as { n: number };
  if (n <= EXACT_UP_TO) return { row_count: n, row_count_estimated: false };
  const free = ['rowid', '_rowid_', 'oid'].find((id) => !columns.some((c) => c.name.toLowerCase() === id));
  try {
    const last = db.prepare(`select max(${free ?? 'rowid'}) as n from ${quoted(name)}`).get() as { n: number | null };
    return { row_count: Math.max(n, Number(last.n ?? 0)), row_count_estimated: true };
  } catch {
    return { row_count: n, row_count_estimated: true };
  }
}
