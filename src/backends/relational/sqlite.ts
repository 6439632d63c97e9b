import { existsSync } from 'node:fs';
import SqliteDatabase from 'better-sqlite3';
import { SvcError } from '../../core/errors.js';
import type { DatabaseAddress } from './address.js';
import { cellOf } from './cells.js';
import type { Cell, ColumnInfo, PageRequest, RelationalDatabase, Row } from './port.js';
import { columnOf, conditionsOf, keyColumns, quoted } from './quoting.js';
import { introspectSqlite } from './sqlite-schema.js';

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
    introspect: (options) => introspectSqlite(db, options),
    page: (request) => Promise.resolve().then(() => page(db, request)),
    close: () => {
      db.close();
      return Promise.resolve();
    },
  };
}

function page(db: SqliteDatabase.Database, request: PageRequest): Row[] {
  const { table, keys, offset, limit } = request;
  const values: unknown[] = [];
  const inKeys = keyColumns(table);
  const where = conditionsOf(request, {
    spelled: false,
    column: quoted,
    bind: (name, value) => {
      values.push(bindable(columnOf(table, name), value));
      return '?';
    },
  });
  const columns = (request.columns ?? table.columns.map((c) => c.name)).map((name) => columnOf(table, name));
  const listed = columns.map(({ name }) => quoted(name)).join(', ');
  const order = keys.length === 0 ? rowOrder(table.columns) : ` order by ${keys.map(quoted).join(', ')}`;
  const sql = `select ${listed} from ${quoted(table.name)}${where}${order} limit ? offset ?`;
  try {
    const rows = db
      .prepare(sql)
      .raw()
      .all(...values, limit, offset ?? 0) as unknown[][];
    return rows.map((row) =>
      Object.fromEntries(columns.map((column, i) => [column.name, cell(row[i], column, inKeys.has(column.name))])),
    );
  } catch (cause) {
    throw new SvcError(
      'unavailable',
      `The table ${JSON.stringify(table.name)} cannot be read; connect the source again.`,
      undefined,
      { cause },
    );
  }
}

/** A table without a key always has a row number, under a name that no column took. */
function rowOrder(columns: readonly ColumnInfo[]): string {
  const taken = new Set(columns.map((column) => column.name.toLowerCase()));
  const free = ['rowid', '_rowid_', 'oid'].find((name) => !taken.has(name));
  return free === undefined ? '' : ` order by ${free}`;
}

/** SQLite has no boolean: 0 and 1 in a column declared as one are read as such. */
function cell(value: unknown, column: ColumnInfo, inKeys: boolean): Cell {
  if (value instanceof Uint8Array) return inKeys ? Buffer.from(value).toString('hex') : null;
  if ((value === 0 || value === 1) && /^bool/i.test(column.type)) return value === 1;
  return cellOf(value);
}

function bindable(column: ColumnInfo, value: Cell): unknown {
  if (typeof value === 'boolean') return Number(value);
  if (typeof value === 'string' && /blob|binary/i.test(column.type) && /^(?:[0-9a-f]{2})*$/.test(value)) {
    return Buffer.from(value, 'hex');
  }
  return value;
}
