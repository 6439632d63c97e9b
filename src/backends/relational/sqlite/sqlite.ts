import SqliteDatabase from 'better-sqlite3';
import { SvcError } from '../../../core/errors.js';
import type { DatabaseAddress } from '../address.js';
import { cellOf } from '../cells.js';
import type { Cell, ColumnInfo, DatabaseRow, PageRequest, RelationalDatabase, TableInfo } from '../port.js';
import { columnOf, conditionsOf, keyColumns, quoted } from '../quoting.js';
import { checkRegularFile } from '../regular-file.js';
import { patiently, unreadable } from './sqlite-errors.js';
import { introspectSqlite, namesInSqlite } from './sqlite-schema.js';

/**
 * Opens a SQLite file read-only. Its one schema is `main`; `public` is understood as the same. A file that another
 * process has locked is waited for, five seconds per statement, without holding the event loop.
 */
export async function openSqliteSource(address: DatabaseAddress): Promise<RelationalDatabase> {
  await checkRegularFile(address.file);
  let db: SqliteDatabase.Database | undefined;
  try {
    const opened = new SqliteDatabase(address.file, { readonly: true, fileMustExist: true, timeout: 0 });
    db = opened;
    await patiently(() => opened.prepare('select count(*) from sqlite_schema').get());
    return sourceOf(opened);
  } catch (cause) {
    db?.close();
    if (cause instanceof SvcError) throw cause;
    throw new SvcError('unavailable', 'The file of connection_string is not a readable SQLite database.', undefined, {
      cause,
    });
  }
}

function sourceOf(db: SqliteDatabase.Database): RelationalDatabase {
  return {
    dialect: 'sqlite',
    introspect: (options) =>
      introspectSqlite(db, options).catch((cause: unknown) => Promise.reject(unreadable('The schema', cause))),
    existingTables: () => namesInSqlite(db).catch((cause: unknown) => Promise.reject(unreadable('The schema', cause))),
    page: (request) =>
      patiently(() => page(db, request)).catch((cause: unknown) =>
        Promise.reject(unreadable(`The table ${JSON.stringify(request.table.name)}`, cause)),
      ),
    close: () => {
      db.close();
      return Promise.resolve();
    },
  };
}

function page(db: SqliteDatabase.Database, request: PageRequest): DatabaseRow[] {
  const { table, keys, offset, limit } = request;
  const values: unknown[] = [];
  const inKeys = keyColumns(request);
  const where = conditionsOf(request, {
    spelled: false,
    column: quoted,
    bind: (name, value) => bound(values, { table, name, value }),
  });
  const columns = (request.columns ?? table.columns.map((c) => c.name)).map((name) => columnOf(table, name));
  const listed = columns.map(({ name }) => quoted(name)).join(', ');
  const order = keys.length === 0 ? rowOrder(table.columns) : ` order by ${keys.map(quoted).join(', ')}`;
  const sql = `select ${listed} from ${quoted(table.name)}${where}${order} limit ? offset ?`;
  const rows = db
    .prepare(sql)
    .raw()
    // Otherwise neighbours above 2^53 would come as one number.
    .safeIntegers(true)
    .all(...values, limit, offset ?? 0) as unknown[][];
  return rows.map((row) =>
    Object.fromEntries(columns.map((column, i) => [column.name, cell(row[i], column, inKeys.has(column.name))])),
  );
}

/** Returns an `order by` on the row number, under a name that no column took; empty where all its names are taken. */
function rowOrder(columns: readonly ColumnInfo[]): string {
  const taken = new Set(columns.map((column) => column.name.toLowerCase()));
  const free = ['rowid', '_rowid_', 'oid'].find((name) => !taken.has(name));
  return free === undefined ? '' : ` order by ${free}`;
}

/** Returns a value as a cell. SQLite has no boolean: 0 and 1 in a column declared as one are read as such. */
function cell(value: unknown, column: ColumnInfo, inKeys: boolean): Cell {
  if (value instanceof Uint8Array) return inKeys ? Buffer.from(value).toString('hex') : null;
  const read = cellOf(value);
  return (read === 0 || read === 1) && /^bool/i.test(column.type) ? read === 1 : read;
}

/** Returns the SQL for a value as `cell` gave it; what it binds is added to `values`. */
function bound(
  values: unknown[],
  { table, name, value }: { readonly table: TableInfo; readonly name: string; readonly value: Cell },
): string {
  const [first, ...others] = meanings(value, columnOf(table, name).type);
  values.push(first);
  if (others.length === 0) return '?';
  // The column compares text, numbers and bytes by their kind, so the table is queried for the one that it has; should it have
  // two that read alike, the later one, so that paging ends.
  values.push(...others, others[0]);
  const listed = ['?', ...others.map(() => '?')].join(', ');
  return `coalesce((select max(${quoted(name)}) from ${quoted(table.name)} where ${quoted(name)} in (${listed})), ?)`;
}

/**
 * Returns what a cell may have been in the file: one thing, by SQLite's rules of affinity, unless the column has no
 * type.
 */
function meanings(value: Cell, type: string): unknown[] {
  if (typeof value === 'boolean') return [Number(value)];
  if (typeof value !== 'string') return [value];
  const integer = bigInteger(value);
  const bytes = /^(?:[0-9a-f]{2})*$/.test(value) ? Buffer.from(value, 'hex') : undefined;
  if (/int/i.test(type)) return [integer ?? value];
  if (/char|clob|text/i.test(type)) return [value];
  if (/blob|binary/i.test(type)) return [bytes ?? integer ?? value];
  if (type !== '') return [integer ?? value];
  return [value, integer, bytes].filter((one) => one !== undefined);
}

/** Returns an integer that came as text because a number of JSON would round it. */
function bigInteger(text: string): bigint | undefined {
  if (!/^-?[1-9]\d{15,18}$/.test(text)) return undefined;
  const integer = BigInt(text);
  return BigInt.asIntN(64, integer) === integer && !Number.isSafeInteger(Number(integer)) ? integer : undefined;
}
