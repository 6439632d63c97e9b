import pg from 'pg';
import type { DatabaseAddress } from '../address.js';
import { cellOf } from '../cells.js';
import type { DatabaseRow, PageRequest, RelationalDatabase } from '../port.js';
import { columnOf, conditionsOf, keyColumns, qualified, quoted } from '../quoting.js';
import { postgresFailure } from './postgres-errors.js';
import { introspectPostgres, namesInPostgres, type Query } from './postgres-schema.js';

/**
 * Everything runs between this and a commit. Settings are local to the transaction, so that a pooler may stand between.
 */
const BEGIN = `begin transaction isolation level repeatable read read only;
  set local statement_timeout = '55s'; set local lock_timeout = '5s'; set local timezone = 'UTC';
  set local datestyle = 'ISO, YMD'; set local search_path = 'pg_catalog'`;

/** Opens a PostgreSQL database for reading. `unavailable` within ten seconds when it cannot be reached. */
export async function openPostgresSource(address: DatabaseAddress): Promise<RelationalDatabase> {
  const client = new pg.Client({
    host: address.host,
    port: address.port,
    user: address.user,
    // A function, because the driver would replace an empty text by a value of the environment or a password file.
    password: () => address.password,
    database: address.database,
    ssl: address.tls === 'off' ? false : { rejectUnauthorized: address.tls === 'verified' },
    connectionTimeoutMillis: 8000,
    query_timeout: 60_000,
    application_name: 'svc source',
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
  } catch (error) {
    client.end().catch(() => undefined);
    throw postgresFailure({ address, cause: error, connecting: true });
  }
  let last: Promise<unknown> = Promise.resolve();
  const inTransaction = <T>(work: (query: Query) => Promise<T>, table?: string): Promise<T> => {
    const next = last
      .then(() => transaction(client, work))
      .catch((cause: unknown) => Promise.reject(postgresFailure({ address, cause, table })));
    last = next.catch(() => undefined);
    return next;
  };
  return {
    dialect: 'postgres',
    introspect: (options) => inTransaction((query) => introspectPostgres(query, options)),
    existingTables: ({ schemas }) => inTransaction((query) => namesInPostgres(query, schemas)),
    page: (request) =>
      inTransaction(
        async (query) => (await query<Record<string, unknown>>(...pageStatement(request))).map(rowOf),
        `${request.table.schema}.${request.table.name}`,
      ),
    close: () => client.end().catch(() => undefined),
  };
}

async function transaction<T>(client: pg.Client, work: (query: Query) => Promise<T>): Promise<T> {
  await client.query(BEGIN);
  try {
    const result = await work(async (text, values = []) => (await client.query(text, [...values])).rows as never);
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

function pageStatement(request: PageRequest): [string, unknown[]] {
  const { table, keys, offset, limit } = request;
  const values: unknown[] = [];
  const inKeys = keyColumns(request);
  const where = conditionsOf(request, {
    spelled: false,
    column: (name) => `t.${quoted(name)}`,
    bind: (name, value) => {
      const place = `$${values.push(value === null ? null : String(value))}::text`;
      const { type } = columnOf(table, name);
      return type === 'bytea' ? `decode(${place}, 'hex')` : `${place}::${type === '' ? 'text' : type}`;
    },
  });
  const order = keys.length === 0 ? 't.tableoid, t.ctid' : keys.map((name) => `t.${quoted(name)}`).join(', ');
  const names = request.columns ?? table.columns.map((column) => column.name);
  const columns = names.map((name) => selected(name, columnOf(table, name).type, inKeys.has(name))).join(', ');
  const skip = offset === undefined ? '' : ` offset ${Math.trunc(offset)}`;
  return [
    `select ${columns} from ${qualified(table.schema, table.name)} t${where} order by ${order} limit ${Math.trunc(limit)}${skip}`,
    values,
  ];
}

/** Returns the column's expression: what has no JSON form of its own comes as text, with its full precision. */
function selected(name: string, type: string, inKeys: boolean): string {
  const column = `t.${quoted(name)}`;
  if (type === 'bytea') return `${inKeys ? `encode(${column}, 'hex')` : 'null'} as ${quoted(name)}`;
  if (/^(smallint|integer|real|double precision|boolean|text)$/.test(type)) return column;
  return `${column}::text as ${quoted(name)}`;
}

function rowOf(row: Record<string, unknown>): DatabaseRow {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, cellOf(value)]));
}
