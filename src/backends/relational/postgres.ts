import pg from 'pg';
import { SvcError } from '../../core/errors.js';
import { type DatabaseAddress, maskedAddress } from './address.js';
import { cellOf } from './cells.js';
import type { DeleteRule, ForeignKey, PageRequest, RelationalDatabase, Row, TableInfo } from './port.js';

const EXACT_UP_TO = 100_000;

/** Opens a PostgreSQL database for reading. `unavailable` within ten seconds when it cannot be reached. */
export async function openPostgresSource(address: DatabaseAddress): Promise<RelationalDatabase> {
  const client = new pg.Client({
    host: address.host,
    port: address.port,
    user: address.user,
    password: address.password,
    database: address.database,
    ssl: address.tls === 'off' ? false : { rejectUnauthorized: address.tls === 'verified' },
    connectionTimeoutMillis: 8000,
    query_timeout: 60_000,
    application_name: 'svc source',
    options: '-c default_transaction_read_only=on -c statement_timeout=55000 -c lock_timeout=5000',
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
  } catch (error) {
    throw translated(error, address);
  }
  const query = async <T>(text: string, values: readonly unknown[] = []): Promise<T[]> => {
    try {
      return (await client.query(text, [...values])).rows as T[];
    } catch (error) {
      throw translated(error, address);
    }
  };
  return {
    dialect: 'postgres',
    introspect: (options) => introspect(query, options),
    page: async (request) => (await query<Record<string, unknown>>(...pageStatement(request))).map(rowOf),
    close: () => client.end().catch(() => undefined),
  };
}

type Query = <T>(text: string, values?: readonly unknown[]) => Promise<T[]>;

interface Relation {
  oid: string;
  schema: string;
  name: string;
  kind: string;
  estimate: string;
}

async function introspect(
  query: Query,
  { schemas, views }: { readonly schemas: readonly string[]; readonly views: boolean },
): Promise<TableInfo[]> {
  const known = await query<{ name: string }>('select nspname as name from pg_namespace where nspname = any($1)', [
    schemas,
  ]);
  const absent = schemas.find((schema) => !known.some((row) => row.name === schema));
  if (absent !== undefined) {
    throw new SvcError('invalid_input', `schemas names ${JSON.stringify(absent)}, which the database does not have.`, {
      member: 'schemas',
    });
  }
  const relations = await query<Relation>(
    `select c.oid::int8::text as oid, n.nspname as schema, c.relname as name, c.relkind as kind, c.reltuples::int8::text as estimate
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = any($1) and c.relkind = any($2) and not c.relispartition
      order by n.nspname collate "C", c.relname collate "C"`,
    [schemas, views ? ['r', 'p', 'v', 'm'] : ['r', 'p']],
  );
  const oids = relations.map((relation) => relation.oid);
  const columns = await query<{ oid: string; name: string; type: string; nullable: boolean }>(
    `select attrelid::int8::text as oid, attname as name, format_type(atttypid, atttypmod) as type, not attnotnull as nullable
       from pg_attribute where attrelid = any($1::oid[]) and attnum > 0 and not attisdropped order by attrelid, attnum`,
    [oids],
  );
  const constraints = await query<ConstraintRow>(CONSTRAINTS, [oids]);
  const indexed = await query<{ oid: string; name: string }>(
    `select i.indrelid::int8::text as oid, a.attname as name from pg_index i
       join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0] where i.indrelid = any($1::oid[])`,
    [oids],
  );
  const tables: TableInfo[] = [];
  for (const relation of relations) {
    const own = constraints.filter((row) => row.oid === relation.oid);
    tables.push({
      schema: relation.schema,
      name: relation.name,
      kind: relation.kind === 'v' || relation.kind === 'm' ? 'view' : 'table',
      columns: columns
        .filter((c) => c.oid === relation.oid)
        .map(({ name, type, nullable }) => ({ name, type, nullable })),
      ...(await rowCount(query, relation)),
      pk_columns: own.find((row) => row.kind === 'p')?.columns ?? [],
      foreign_keys: own.filter((row) => row.kind === 'f').map(foreignKey),
      unique_constraints: own.filter((row) => row.kind === 'u').map((row) => row.columns),
      check_constraints: own.filter((row) => row.kind === 'c').map((row) => ({ name: row.name, sql: row.sql })),
      indexed_columns: [...new Set(indexed.filter((row) => row.oid === relation.oid).map((row) => row.name))],
    });
  }
  return tables;
}

interface ConstraintRow {
  oid: string;
  name: string;
  kind: string;
  columns: string[];
  ref_schema: string | null;
  ref_table: string | null;
  ref_columns: string[] | null;
  on_delete: string;
  sql: string;
}

const CONSTRAINTS = `
  select k.conrelid::int8::text as oid, k.conname as name, k.contype as kind,
         array(select a.attname::text from unnest(k.conkey) with ordinality u(num, ord)
                 join pg_attribute a on a.attrelid = k.conrelid and a.attnum = u.num order by u.ord) as columns,
         rn.nspname as ref_schema, rc.relname as ref_table,
         array(select a.attname::text from unnest(k.confkey) with ordinality u(num, ord)
                 join pg_attribute a on a.attrelid = k.confrelid and a.attnum = u.num order by u.ord) as ref_columns,
         k.confdeltype as on_delete, pg_get_constraintdef(k.oid) as sql
    from pg_constraint k left join pg_class rc on rc.oid = k.confrelid left join pg_namespace rn on rn.oid = rc.relnamespace
   where k.conrelid = any($1::oid[]) and k.contype in ('p', 'f', 'u', 'c') order by k.conrelid, k.conname collate "C"`;

const DELETE_RULES: Readonly<Record<string, DeleteRule>> = {
  a: 'NO ACTION',
  r: 'RESTRICT',
  c: 'CASCADE',
  n: 'SET NULL',
  d: 'SET DEFAULT',
};

function foreignKey(row: ConstraintRow): ForeignKey {
  return {
    name: row.name,
    columns: row.columns,
    references: { schema: row.ref_schema ?? '', table: row.ref_table ?? '', columns: row.ref_columns ?? [] },
    on_delete: DELETE_RULES[row.on_delete] ?? 'NO ACTION',
  };
}

/** Exact up to 100,000 rows; beyond, the planner's estimate, marked. */
async function rowCount(
  query: Query,
  relation: Relation,
): Promise<Pick<TableInfo, 'row_count' | 'row_count_estimated'>> {
  const estimate = Number(relation.estimate);
  if (estimate > EXACT_UP_TO) return { row_count: estimate, row_count_estimated: true };
  const [row] = await query<{ n: string }>(
    `select count(*)::text as n from (select 1 from ${qualified(relation.schema, relation.name)} limit ${EXACT_UP_TO + 1}) t`,
  );
  const counted = Number(row?.n ?? 0);
  return { row_count: counted, row_count_estimated: counted > EXACT_UP_TO };
}

function pageStatement({ table, keys, after, offset, limit, since }: PageRequest): [string, unknown[]] {
  const values: unknown[] = [];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const conditions: string[] = [];
  const typed = (column: string, value: unknown): string =>
    `${bind(value === null ? null : String(value))}::text::${table.columns.find((c) => c.name === column)?.type ?? 'text'}`;
  if (after !== undefined) {
    conditions.push(
      `(${keys.map(quoted).join(', ')}) > (${after.map((value, i) => typed(keys[i] ?? '', value)).join(', ')})`,
    );
  }
  if (since !== undefined) conditions.push(`${quoted(since.column)} >= ${typed(since.column, since.value)}`);
  const where = conditions.length === 0 ? '' : ` where ${conditions.join(' and ')}`;
  const order = keys.length === 0 ? '' : ` order by ${keys.map(quoted).join(', ')}`;
  const skip = offset === undefined ? '' : ` offset ${Math.trunc(offset)}`;
  const columns = table.columns.map((column) => selected(column.name, column.type)).join(', ');
  return [
    `select ${columns} from ${qualified(table.schema, table.name)}${where}${order} limit ${Math.trunc(limit)}${skip}`,
    values,
  ];
}

/** Bytes are not fetched at all; what has no JSON form of its own comes as text, with its full precision. */
function selected(name: string, type: string): string {
  if (type === 'bytea') return `null as ${quoted(name)}`;
  if (/^(smallint|integer|real|double precision|boolean)$/.test(type)) return quoted(name);
  return `${quoted(name)}::text as ${quoted(name)}`;
}

function rowOf(row: Record<string, unknown>): Row {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, cellOf(value)]));
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
  if (code === '28P01' || code === '28000')
    return new SvcError('unavailable', `${where} refused the login; check user and password.`);
  if (code === '3D000') return new SvcError('unavailable', `${where}: there is no such database.`);
  if (code === '42501') return new SvcError('forbidden', `${where}: the user may not read that table.`);
  if (code === '42P01' || code === '42703') {
    return new SvcError('conflict', `${where}: the schema changed since it was read; connect the source again.`);
  }
  if (code === '57014' || code === '55P03')
    return new SvcError('unavailable', `${where}: a statement took too long and was ended.`);
  return new SvcError(
    'unavailable',
    `${where} does not answer; check host, port and that the server runs.`,
    undefined,
    {
      retriable: true,
    },
  );
}
