import mysql from 'mysql2/promise';
import { SvcError } from '../../core/errors.js';
import { type DatabaseAddress, maskedAddress } from './address.js';
import { cellOf } from './cells.js';
import type { DeleteRule, ForeignKey, PageRequest, RelationalDatabase, Row, TableInfo } from './port.js';

const EXACT_UP_TO = 100_000;

/** Opens a MySQL or MariaDB database for reading. Its schema is the database; `public` is understood as the same. */
export async function openMysqlSource(address: DatabaseAddress): Promise<RelationalDatabase> {
  let connection: mysql.Connection;
  try {
    connection = await mysql.createConnection({
      host: address.host,
      port: address.port,
      user: address.user,
      password: address.password,
      database: address.database,
      ...(address.tls === 'off' ? {} : { ssl: { rejectUnauthorized: address.tls === 'verified' } }),
      connectTimeout: 8000,
      supportBigNumbers: true,
      dateStrings: true,
      multipleStatements: false,
    });
    connection.on('error', () => undefined);
    await connection.query(
      "set session transaction read only, session lock_wait_timeout = 5, session sql_mode = 'ANSI_QUOTES'",
    );
  } catch (error) {
    throw translated(error, address);
  }
  const query: Query = async <T>(text: string, values: readonly unknown[] = []) => {
    try {
      const [rows] = await connection.query({ sql: text, values: [...values], timeout: 55_000 });
      return rows as T[];
    } catch (error) {
      throw translated(error, address);
    }
  };
  return {
    dialect: 'mysql',
    introspect: (options) => introspect(query, address.database, options),
    page: async (request) =>
      (await query<Record<string, unknown>>(...pageStatement(request))).map((row) => rowOf(row, request.table)),
    close: () => connection.end().catch(() => connection.destroy()),
  };
}

type Query = <T>(text: string, values?: readonly unknown[]) => Promise<T[]>;

async function introspect(
  query: Query,
  database: string,
  { schemas, views }: { readonly schemas: readonly string[]; readonly views: boolean },
): Promise<TableInfo[]> {
  const wanted = [...new Set(schemas.map((schema) => (schema === 'public' ? database : schema)))];
  const known = await query<{ name: string }>(
    'select schema_name as name from information_schema.schemata where schema_name in (?)',
    [wanted],
  );
  const absent = wanted.find((schema) => !known.some((row) => row.name === schema));
  if (absent !== undefined) {
    throw new SvcError('invalid_input', `schemas names ${JSON.stringify(absent)}, which the server does not have.`, {
      member: 'schemas',
    });
  }
  const tables = await query<{ s: string; t: string; kind: string; n: number | null }>(
    `select table_schema as s, table_name as t, table_type as kind, table_rows as n from information_schema.tables
      where table_schema in (?) order by table_schema, table_name`,
    [wanted],
  );
  const columns = await query<{ s: string; t: string; name: string; type: string; nullable: string }>(
    `select table_schema as s, table_name as t, column_name as name, column_type as type, is_nullable as nullable
       from information_schema.columns where table_schema in (?) order by ordinal_position`,
    [wanted],
  );
  const keys = await query<KeyRow>(KEYS, [wanted]);
  const checks = await query<{ s: string; t: string; name: string; clause: string }>(
    `select constraint_schema as s, table_name as t, constraint_name as name, check_clause as clause
       from information_schema.check_constraints where constraint_schema in (?) order by constraint_name`,
    [wanted],
  ).catch(() => []);
  const indexed = await query<{ s: string; t: string; name: string }>(
    `select table_schema as s, table_name as t, column_name as name from information_schema.statistics
      where table_schema in (?) and seq_in_index = 1`,
    [wanted],
  );
  const result: TableInfo[] = [];
  for (const { s, t, kind, n } of tables) {
    const isView = kind.includes('VIEW');
    if (isView && !views) continue;
    const own = <T extends { s: string; t: string }>(rows: readonly T[]): T[] =>
      rows.filter((row) => row.s === s && row.t === t);
    const constraints = grouped(own(keys));
    result.push({
      schema: s,
      name: t,
      kind: isView ? 'view' : 'table',
      columns: own(columns).map((c) => ({ name: c.name, type: c.type, nullable: c.nullable === 'YES' })),
      ...(await rowCount(query, qualified(s, t), Number(n ?? 0))),
      pk_columns: constraints.find((parts) => parts[0]?.kind === 'PRIMARY KEY')?.map((part) => part.name) ?? [],
      foreign_keys: constraints.filter((parts) => parts[0]?.kind === 'FOREIGN KEY').map(foreignKey),
      unique_constraints: constraints
        .filter((parts) => parts[0]?.kind === 'UNIQUE')
        .map((parts) => parts.map((p) => p.name)),
      check_constraints: own(checks).map((check) => ({ name: check.name, sql: `CHECK (${check.clause})` })),
      indexed_columns: [...new Set(own(indexed).map((row) => row.name))],
    });
  }
  return result;
}

interface KeyRow {
  s: string;
  t: string;
  constraint_name: string;
  kind: string;
  name: string;
  ref_schema: string | null;
  ref_table: string | null;
  ref_name: string | null;
  on_delete: DeleteRule | null;
}

const KEYS = `
  select k.table_schema as s, k.table_name as t, k.constraint_name as constraint_name, c.constraint_type as kind, k.column_name as name,
         k.referenced_table_schema as ref_schema, k.referenced_table_name as ref_table, k.referenced_column_name as ref_name,
         r.delete_rule as on_delete
    from information_schema.key_column_usage k
    join information_schema.table_constraints c on c.constraint_schema = k.constraint_schema
     and c.constraint_name = k.constraint_name and c.table_schema = k.table_schema and c.table_name = k.table_name
    left join information_schema.referential_constraints r on r.constraint_schema = k.constraint_schema
     and r.constraint_name = k.constraint_name and r.table_name = k.table_name
   where k.table_schema in (?) order by k.constraint_name, k.ordinal_position`;

function grouped(rows: readonly KeyRow[]): KeyRow[][] {
  const groups = new Map<string, KeyRow[]>();
  for (const row of rows) groups.set(row.constraint_name, [...(groups.get(row.constraint_name) ?? []), row]);
  return [...groups.values()];
}

function foreignKey(parts: readonly KeyRow[]): ForeignKey {
  const first = parts[0];
  return {
    name: first?.constraint_name ?? '',
    columns: parts.map((part) => part.name),
    references: {
      schema: first?.ref_schema ?? '',
      table: first?.ref_table ?? '',
      columns: parts.map((part) => part.ref_name ?? ''),
    },
    on_delete: first?.on_delete ?? 'NO ACTION',
  };
}

async function rowCount(
  query: Query,
  table: string,
  estimate: number,
): Promise<Pick<TableInfo, 'row_count' | 'row_count_estimated'>> {
  if (estimate > EXACT_UP_TO * 2) return { row_count: estimate, row_count_estimated: true };
  const [row] = await query<{ n: number }>(
    `select count(*) as n from (select 1 from ${table} limit ${EXACT_UP_TO + 1}) t`,
  );
  const counted = Number(row?.n ?? 0);
  return counted > EXACT_UP_TO
    ? { row_count: Math.max(estimate, counted), row_count_estimated: true }
    : { row_count: counted, row_count_estimated: false };
}

function pageStatement({ table, keys, after, offset, limit, since }: PageRequest): [string, unknown[]] {
  const conditions: string[] = [];
  const values: unknown[] = [];
  if (after !== undefined) {
    conditions.push(`(${keys.map(quoted).join(', ')}) > (${keys.map(() => '?').join(', ')})`);
    values.push(...after);
  }
  if (since !== undefined) {
    conditions.push(`${quoted(since.column)} >= ?`);
    values.push(since.value);
  }
  const where = conditions.length === 0 ? '' : ` where ${conditions.join(' and ')}`;
  const order = keys.length === 0 ? '' : ` order by ${keys.map(quoted).join(', ')}`;
  const columns = table.columns.map((column) => quoted(column.name)).join(', ');
  const skip = offset === undefined ? '' : ` offset ${Math.trunc(offset)}`;
  return [
    `select ${columns} from ${qualified(table.schema, table.name)}${where}${order} limit ${Math.trunc(limit)}${skip}`,
    values,
  ];
}

/** MySQL has no boolean: a tinyint(1) column is read as one. */
function rowOf(row: Record<string, unknown>, table: TableInfo): Row {
  return Object.fromEntries(
    table.columns.map(({ name, type }) => {
      const cell = cellOf(row[name]);
      return [name, /^tinyint\(1\)/i.test(type) && (cell === 0 || cell === 1) ? cell === 1 : cell];
    }),
  );
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function qualified(schema: string, table: string): string {
  return `${quoted(schema)}.${quoted(table)}`;
}

function translated(error: unknown, address: DatabaseAddress): SvcError {
  if (error instanceof SvcError) return error;
  const code = (error as { code?: unknown }).code;
  const where = maskedAddress(address);
  if (code === 'ER_ACCESS_DENIED_ERROR')
    return new SvcError('unavailable', `${where} refused the login; check user and password.`);
  if (code === 'ER_BAD_DB_ERROR') return new SvcError('unavailable', `${where}: there is no such database.`);
  if (code === 'ER_TABLEACCESS_DENIED_ERROR')
    return new SvcError('forbidden', `${where}: the user may not read that table.`);
  if (code === 'ER_NO_SUCH_TABLE' || code === 'ER_BAD_FIELD_ERROR') {
    return new SvcError('conflict', `${where}: the schema changed since it was read; connect the source again.`);
  }
  return new SvcError(
    'unavailable',
    `${where} does not answer; check host, port and that the server runs.`,
    undefined,
    { retriable: true },
  );
}
