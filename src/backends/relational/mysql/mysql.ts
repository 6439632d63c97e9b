import mysql from 'mysql2/promise';
import { SvcError } from '../../../core/errors.js';
import type { DatabaseAddress } from '../address.js';
import { cellOf } from '../cells.js';
import type { Cell, ColumnInfo, DatabaseRow, PageRequest, RelationalDatabase } from '../port.js';
import { columnOf, conditionsOf, keyColumns, qualified, quoted } from '../quoting.js';
import { mysqlFailure } from './mysql-errors.js';
import { introspectMysql, namesInMysql, type Query } from './mysql-schema.js';

const SESSION = [
  'set session transaction read only',
  "set session sql_mode = 'ANSI_QUOTES', session lock_wait_timeout = 5, session time_zone = '+00:00'",
];
/** MariaDB counts seconds, MySQL milliseconds, each under a name of its own. */
const TIMEOUTS = ['set session max_statement_time = 55', 'set session max_execution_time = 55000'];

/** Opens a MySQL or MariaDB database for reading. Its schema is the database; `public` is understood as the same. */
export async function openMysqlSource(address: DatabaseAddress): Promise<RelationalDatabase> {
  let connection: mysql.Connection | undefined;
  try {
    connection = await mysql.createConnection({
      host: address.host,
      port: address.port,
      user: address.user,
      password: address.password,
      database: address.database,
      ...(address.tls === 'off'
        ? {}
        : { ssl: { rejectUnauthorized: address.tls === 'verified', verifyIdentity: address.tls === 'verified' } }),
      connectTimeout: 8000,
      supportBigNumbers: true,
      dateStrings: true,
      multipleStatements: false,
      // The server could otherwise request any file of this machine.
      infileStreamFactory: () => {
        throw new SvcError('forbidden', 'The server requested a local file; that is never sent.');
      },
    });
    connection.on('error', () => undefined);
    for (const statement of SESSION) await connection.query(statement);
    for (const statement of TIMEOUTS) await connection.query(statement).catch(unlessUnknown);
  } catch (cause) {
    connection?.destroy();
    throw mysqlFailure({ address, cause, connecting: true });
  }
  const opened = connection;
  const run = async <T>(text: string, values: readonly unknown[], table?: string): Promise<T[]> => {
    try {
      const [rows] = await opened.query({ sql: text, values: [...values], timeout: 60_000 });
      return rows as T[];
    } catch (cause) {
      throw mysqlFailure({ address, cause, table });
    }
  };
  const query: Query = (text, values = []) => run(text, values);
  return {
    dialect: 'mysql',
    introspect: (options) => introspectMysql(query, address.database, options),
    existingTables: ({ schemas }) => namesInMysql(query, address.database, schemas),
    page: async (request) => {
      const { text, values, columns } = pageStatement(request);
      const table = `${request.table.schema}.${request.table.name}`;
      return (await run<Record<string, unknown>>(text, values, table)).map((row) => rowOf(row, columns));
    },
    close: () => opened.end().catch(() => opened.destroy()),
  };
}

function unlessUnknown(error: { code?: unknown }): void {
  if (error.code !== 'ER_UNKNOWN_SYSTEM_VARIABLE') throw error;
}

interface BoundStatement {
  readonly text: string;
  readonly values: readonly unknown[];
  readonly columns: readonly ColumnInfo[];
}

function pageStatement(request: PageRequest): BoundStatement {
  const { table, keys, offset, limit } = request;
  const inKeys = keyColumns(request);
  const values: unknown[] = [];
  const where = conditionsOf(request, {
    spelled: true,
    column: quoted,
    bind: (name, value) => {
      values.push(value);
      return isBinary(columnOf(table, name).type) ? 'unhex(?)' : '?';
    },
  });
  // There is no order of the engine's own: without a key the rows are ordered by everything that can be ordered.
  const order = keys.length > 0 ? keys : table.columns.filter((c) => !isUnordered(c.type)).map((c) => c.name);
  const columns = (request.columns ?? table.columns.map((c) => c.name)).map((name) => columnOf(table, name));
  const listed = columns.map((column) => selected(column, inKeys.has(column.name))).join(', ');
  const ordered = order.length === 0 ? '' : ` order by ${order.map(quoted).join(', ')}`;
  const skip = offset === undefined ? '' : ` offset ${Math.trunc(offset)}`;
  return {
    text: `select ${listed} from ${qualified(table.schema, table.name)}${where}${ordered} limit ${Math.trunc(limit)}${skip}`,
    values,
    columns,
  };
}

function isBinary(type: string): boolean {
  return /^(var)?binary\b|blob/i.test(type);
}

function isUnordered(type: string): boolean {
  return /json|geometry|point|linestring|polygon|blob/i.test(type);
}

function selected({ name, type }: ColumnInfo, inKeys: boolean): string {
  if (isBinary(type)) return `${inKeys ? `lower(hex(${quoted(name)}))` : 'null'} as ${quoted(name)}`;
  return /^bit\b/i.test(type) ? `${quoted(name)} + 0 as ${quoted(name)}` : quoted(name);
}

/** Returns a row's cells. MySQL has no boolean: tinyint(1) and bit(1) columns are read as one. */
function rowOf(row: Record<string, unknown>, columns: readonly ColumnInfo[]): DatabaseRow {
  return Object.fromEntries(
    columns.map(({ name, type }): [string, Cell] => {
      const cell = cellOf(row[name]);
      return [name, /^(tinyint|bit)\(1\)/i.test(type) && (cell === 0 || cell === 1) ? cell === 1 : cell];
    }),
  );
}
