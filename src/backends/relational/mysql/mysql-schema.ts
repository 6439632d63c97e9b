import { SvcError } from '../../../core/errors.js';
import { type DeleteRule, type ForeignKey, NOT_COUNTED, type TableInfo, type TableName } from '../port.js';
import { groupedBy, qualified } from '../quoting.js';

export type Query = <T>(text: string, values?: readonly unknown[]) => Promise<T[]>;

const EXACT_UP_TO = 100_000;

interface InTable {
  /** Schema and table. */
  readonly s: string;
  readonly t: string;
}

interface ConstraintRow extends InTable {
  readonly constraint_name: string;
  readonly kind: string;
  readonly name: string;
  readonly ref_schema: string | null;
  readonly ref_table: string | null;
  readonly ref_name: string | null;
  readonly on_delete: DeleteRule | null;
}

/** Returns the tables of these schemas out of information_schema; `public` stands for the connected database. */
export async function introspectMysql(
  query: Query,
  database: string,
  { schemas, views }: { readonly schemas: readonly string[]; readonly views: boolean },
): Promise<TableInfo[]> {
  const wanted = namesOf(schemas, database);
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
  const tables = await query<InTable & { kind: string; n: number | null }>(TABLES, [wanted]);
  const read = async <T extends InTable>(text: string) => groupedBy(await query<T>(text, [wanted]), tableOf);
  const columns = await read<InTable & { name: string; type: string; nullable: string }>(COLUMNS);
  const keys = await read<ConstraintRow>(KEYS);
  const checks = await read<InTable & { name: string; clause: string }>(CHECKS).catch(() =>
    read<InTable & { name: string; clause: string }>(CHECKS_OF_MYSQL),
  );
  const indexed = await read<InTable & { name: string }>(INDEXED);
  const result: TableInfo[] = [];
  for (const row of tables.filter((table) => views || !table.kind.includes('VIEW'))) {
    const of = tableOf(row);
    const kind = row.kind.includes('VIEW') ? 'view' : 'table';
    const constraints = [...groupedBy(keys.get(of) ?? [], (key) => key.constraint_name).values()];
    const ofKind = (kind: string): ConstraintRow[][] => constraints.filter((parts) => parts[0]?.kind === kind);
    result.push({
      schema: row.s,
      name: row.t,
      kind,
      columns: (columns.get(of) ?? []).map((c) => ({ name: c.name, type: c.type, nullable: c.nullable === 'YES' })),
      ...(kind === 'view' ? NOT_COUNTED : await countOrEstimate(query, qualified(row.s, row.t), Number(row.n ?? 0))),
      pk_columns: ofKind('PRIMARY KEY')[0]?.map((part) => part.name) ?? [],
      foreign_keys: ofKind('FOREIGN KEY').map(foreignKey),
      unique_constraints: ofKind('UNIQUE').map((parts) => parts.map((part) => part.name)),
      check_constraints: (checks.get(of) ?? []).map((check) => ({
        name: check.name,
        sql: `CHECK (${standardSql(check.clause)})`,
      })),
      indexed_columns: [...new Set((indexed.get(of) ?? []).map((index) => index.name))],
    });
  }
  return result;
}

/** Returns the names of the tables of these schemas; a server shows none on which the user has no privilege at all. */
export async function namesInMysql(query: Query, database: string, schemas: readonly string[]): Promise<TableName[]> {
  const rows = await query<InTable & { kind: string }>(TABLES, [namesOf(schemas, database)]);
  return rows.filter(({ kind }) => !kind.includes('VIEW')).map(({ s, t }) => ({ schema: s, name: t }));
}

/** Returns the names of schemas as the server has them: `public` stands for the connected database. */
function namesOf(schemas: readonly string[], database: string): string[] {
  return [...new Set(schemas.map((schema) => (schema === 'public' ? database : schema)))];
}

const TABLES = `
  select table_schema as s, table_name as t, table_type as kind, table_rows as n from information_schema.tables
   where table_schema in (?) order by table_schema, table_name`;

const COLUMNS = `
  select table_schema as s, table_name as t, column_name as name, column_type as type, is_nullable as nullable
    from information_schema.columns where table_schema in (?) order by ordinal_position`;

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

/** MariaDB names the table; MySQL's constraint names are unique in a schema, so the table is found by them. */
const CHECKS = `
  select constraint_schema as s, table_name as t, constraint_name as name, check_clause as clause
    from information_schema.check_constraints where constraint_schema in (?) order by constraint_name`;
const CHECKS_OF_MYSQL = `
  select k.constraint_schema as s, c.table_name as t, k.constraint_name as name, k.check_clause as clause
    from information_schema.check_constraints k join information_schema.table_constraints c
      on c.constraint_schema = k.constraint_schema and c.constraint_name = k.constraint_name and c.constraint_type = 'CHECK'
   where k.constraint_schema in (?) order by k.constraint_name`;

const INDEXED = `
  select table_schema as s, table_name as t, column_name as name from information_schema.statistics
   where table_schema in (?) and seq_in_index = 1`;

/**
 * Returns a condition with quotes doubled instead of escaped. MySQL 8 escapes its strings as a whole once more:
 * _utf8mb4\'a\'.
 */
export function standardSql(clause: string): string {
  const inner = /_\w+\\'/.test(clause) ? clause.replace(/\\([\s\S])/g, '$1') : clause;
  return inner.replace(/'(?:[^'\\]|''|\\[\s\S])*'/g, (text) =>
    text.replace(/\\([\s\S])/g, (_, c: string) => (c === "'" ? "''" : c)),
  );
}

function tableOf(row: InTable): string {
  return JSON.stringify([row.s, row.t]);
}

function foreignKey(parts: readonly ConstraintRow[]): ForeignKey {
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

/**
 * Returns the row count, or the estimate for a table that cannot be counted (locked or broken), so that it hides no
 * other.
 */
async function countOrEstimate(query: Query, table: string, estimate: number): ReturnType<typeof rowCount> {
  try {
    return await rowCount(query, table, estimate);
  } catch (error) {
    if (!(error instanceof SvcError) || error.code === 'unavailable') throw error;
    return { row_count: estimate, row_count_estimated: true };
  }
}

/** Returns the row count: exact up to 100,000 rows, beyond that the engine's estimate, marked. */
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
