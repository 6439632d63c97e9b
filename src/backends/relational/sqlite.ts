import { existsSync } from 'node:fs';
import SqliteDatabase from 'better-sqlite3';
import { SvcError } from '../../core/errors.js';
import type { DatabaseAddress } from './address.js';
import { cellOf } from './cells.js';
import type {
  CheckConstraint,
  DeleteRule,
  ForeignKey,
  PageRequest,
  RelationalDatabase,
  Row,
  TableInfo,
} from './port.js';
import { checksOf } from './sqlite-checks.js';

/** Opens a SQLite file read-only. Its one schema is `main`; `public` is understood as the same. */
export async function openSqliteSource(address: DatabaseAddress): Promise<RelationalDatabase> {
  if (!existsSync(address.file)) {
    throw new SvcError('unavailable', 'The SQLite file of connection_string does not exist; check its path.', {
      member: 'connection_string',
    });
  }
  let db: SqliteDatabase.Database;
  try {
    db = new SqliteDatabase(address.file, { readonly: true, fileMustExist: true, timeout: 5000 });
    db.prepare('select count(*) from sqlite_schema').get();
  } catch (cause) {
    throw new SvcError('unavailable', 'The file of connection_string is not a readable SQLite database.', undefined, {
      cause,
    });
  }
  return {
    dialect: 'sqlite',
    introspect: (options) => Promise.resolve().then(() => introspect(db, options)),
    page: (request) => Promise.resolve().then(() => page(db, request)),
    close: () => {
      db.close();
      return Promise.resolve();
    },
  };
}

function introspect(
  db: SqliteDatabase.Database,
  { schemas, views }: { readonly schemas: readonly string[]; readonly views: boolean },
): TableInfo[] {
  const absent = schemas.find((schema) => schema !== 'main' && schema !== 'public');
  if (absent !== undefined) {
    throw new SvcError('invalid_input', `schemas names ${JSON.stringify(absent)}; a SQLite file has only "main".`, {
      member: 'schemas',
    });
  }
  const rows = db
    .prepare(
      "select type, name, sql from sqlite_schema where type in ('table', 'view') and name not like 'sqlite\\_%' escape '\\' order by name",
    )
    .all() as Array<{ type: 'table' | 'view'; name: string; sql: string | null }>;
  return rows.filter((row) => views || row.type === 'table').map((row) => tableInfo(db, row));
}

interface ColumnRow {
  name: string;
  type: string;
  notnull: number;
  pk: number;
}

function tableInfo(
  db: SqliteDatabase.Database,
  { type, name, sql }: { type: 'table' | 'view'; name: string; sql: string | null },
): TableInfo {
  const columns = db
    .prepare('select name, type, "notnull", pk from pragma_table_xinfo(?) where hidden in (0, 2, 3)')
    .all(name) as ColumnRow[];
  const key = columns.filter((column) => column.pk > 0).sort((a, b) => a.pk - b.pk);
  const indexes = db.prepare('select name, "unique" as uniq, origin from pragma_index_list(?)').all(name) as Array<{
    name: string;
    uniq: number;
    origin: string;
  }>;
  const indexColumns = (index: string): string[] =>
    (
      db.prepare('select name from pragma_index_info(?) order by seqno').all(index) as Array<{ name: string | null }>
    ).flatMap((row) => (row.name === null ? [] : [row.name]));
  const count = db.prepare(`select count(*) as n from ${quoted(name)}`).get() as { n: number };
  return {
    schema: 'main',
    name,
    kind: type,
    columns: columns.map((column) => ({
      name: column.name,
      type: column.type,
      nullable: column.notnull === 0 && column.pk === 0,
    })),
    row_count: count.n,
    row_count_estimated: false,
    pk_columns: key.map((column) => column.name),
    foreign_keys: foreignKeys(db, name),
    unique_constraints: indexes
      .filter((index) => index.origin === 'u')
      .map((index) => indexColumns(index.name))
      .sort(),
    check_constraints: (sql === null ? [] : checksOf(sql)) satisfies CheckConstraint[],
    indexed_columns: [
      ...new Set([...key.slice(0, 1).map((c) => c.name), ...indexes.flatMap((i) => indexColumns(i.name).slice(0, 1))]),
    ],
  };
}

interface ForeignKeyRow {
  id: number;
  seq: number;
  table: string;
  from: string;
  to: string | null;
  on_delete: DeleteRule;
}

function foreignKeys(db: SqliteDatabase.Database, table: string): ForeignKey[] {
  const rows = db
    .prepare('select id, seq, "table", "from", "to", on_delete from pragma_foreign_key_list(?) order by id, seq')
    .all(table) as ForeignKeyRow[];
  const byId = new Map<number, ForeignKeyRow[]>();
  for (const row of rows) byId.set(row.id, [...(byId.get(row.id) ?? []), row]);
  return [...byId.values()].map((parts) => {
    const target = parts[0]?.table ?? '';
    const key = () =>
      (
        db.prepare('select name from pragma_table_info(?) where pk > 0 order by pk').all(target) as Array<{
          name: string;
        }>
      ).map((r) => r.name);
    const columns = parts.map((part) => part.from);
    return {
      name: `${table}_${columns.join('_')}_fkey`,
      columns,
      references: {
        schema: 'main',
        table: target,
        columns: parts.every((p) => p.to !== null) ? parts.map((p) => p.to ?? '') : key(),
      },
      on_delete: parts[0]?.on_delete ?? 'NO ACTION',
    };
  });
}

function page(db: SqliteDatabase.Database, { table, keys, after, offset, limit, since }: PageRequest): Row[] {
  const conditions: string[] = [];
  const values: unknown[] = [];
  if (after !== undefined) {
    conditions.push(`(${keys.map(quoted).join(', ')}) > (${keys.map(() => '?').join(', ')})`);
    values.push(...after.map(bindable));
  }
  if (since !== undefined) {
    conditions.push(`${quoted(since.column)} >= ?`);
    values.push(since.value);
  }
  const where = conditions.length === 0 ? '' : ` where ${conditions.join(' and ')}`;
  const order = keys.length === 0 ? '' : ` order by ${keys.map(quoted).join(', ')}`;
  const columns = table.columns.map((column) => quoted(column.name)).join(', ');
  const sql = `select ${columns} from ${quoted(table.name)}${where}${order} limit ? offset ?`;
  try {
    const rows = db.prepare(sql).all(...values, limit, offset ?? 0) as Array<Record<string, unknown>>;
    return rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, cellOf(value)])));
  } catch (cause) {
    throw new SvcError(
      'unavailable',
      `The table ${JSON.stringify(table.name)} cannot be read; connect the source again.`,
      undefined,
      { cause },
    );
  }
}

function bindable(value: unknown): unknown {
  return typeof value === 'boolean' ? Number(value) : value;
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
