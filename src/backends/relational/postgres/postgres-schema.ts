import { SvcError } from '../../../core/errors.js';
import {
  type CheckConstraint,
  type DeleteRule,
  type ForeignKey,
  NOT_COUNTED,
  type TableInfo,
  type TableName,
} from '../port.js';
import { groupedBy, qualified, quoted } from '../quoting.js';

export type Query = <T>(text: string, values?: readonly unknown[]) => Promise<T[]>;

const EXACT_UP_TO = 100_000;

interface Relation {
  readonly oid: string;
  readonly schema: string;
  readonly name: string;
  readonly kind: string;
  readonly estimate: string;
}

interface ColumnRow {
  readonly oid: string;
  readonly name: string;
  readonly type: string;
  readonly nullable: boolean;
  /** Of an enum type, in its order. */
  readonly labels: string[] | null;
}

interface ConstraintRow {
  readonly oid: string;
  readonly name: string;
  readonly kind: string;
  readonly columns: string[];
  readonly ref_schema: string | null;
  readonly ref_table: string | null;
  readonly ref_columns: string[] | null;
  readonly on_delete: string;
  readonly sql: string;
}

/**
 * Returns the tables of these schemas that the user may read, out of PostgreSQL's catalogs. Partitions are part of
 * their table.
 */
export async function introspectPostgres(
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
  const relations = await query<Relation>(RELATIONS, [schemas, views ? ['r', 'p', 'v', 'm'] : ['r', 'p']]);
  const oids = relations.map((relation) => relation.oid);
  const columns = groupedBy(await query<ColumnRow>(COLUMNS, [oids]), (row) => row.oid);
  const constraints = groupedBy(await query<ConstraintRow>(CONSTRAINTS, [oids]), (row) => row.oid);
  const indexed = groupedBy(await query<{ oid: string; name: string }>(INDEXED, [oids]), (row) => row.oid);
  const tables: TableInfo[] = [];
  for (const relation of relations) {
    const own = constraints.get(relation.oid) ?? [];
    const ownColumns = columns.get(relation.oid) ?? [];
    const kind = relation.kind === 'v' || relation.kind === 'm' ? 'view' : 'table';
    tables.push({
      schema: relation.schema,
      name: relation.name,
      kind,
      columns: ownColumns.map(({ name, type, nullable }) => ({ name, type, nullable })),
      ...(kind === 'view' ? NOT_COUNTED : await countOrEstimate(query, relation)),
      pk_columns: own.find((row) => row.kind === 'p')?.columns ?? [],
      foreign_keys: own.filter((row) => row.kind === 'f').map(foreignKey),
      unique_constraints: own.filter((row) => row.kind === 'u').map((row) => row.columns),
      check_constraints: [
        ...own.filter((row) => row.kind === 'c').map((row) => ({ name: row.name, sql: row.sql })),
        ...(kind === 'view' ? [] : ownColumns.flatMap(enumCheck)),
      ],
      indexed_columns: [...new Set((indexed.get(relation.oid) ?? []).map((row) => row.name))],
    });
  }
  return tables;
}

/** Returns the names of the tables of these schemas, also of those that the user may not read. */
export function namesInPostgres(query: Query, schemas: readonly string[]): Promise<TableName[]> {
  return query<TableName>(NAMES, [schemas]);
}

const NAMES = `
  select n.nspname as schema, c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
   where n.nspname = any($1) and c.relkind in ('r', 'p') and not c.relispartition`;

const RELATIONS = `
  select c.oid::int8::text as oid, n.nspname as schema, c.relname as name, c.relkind as kind, c.reltuples::int8::text as estimate
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
   where n.nspname = any($1) and c.relkind = any($2) and not c.relispartition and has_table_privilege(c.oid, 'SELECT')
   order by n.nspname collate "C", c.relname collate "C"`;

const COLUMNS = `
  select attrelid::int8::text as oid, attname as name, format_type(atttypid, atttypmod) as type, not attnotnull as nullable,
         (select array_agg(enumlabel::text order by enumsortorder) from pg_enum where enumtypid = atttypid) as labels
    from pg_attribute where attrelid = any($1::oid[]) and attnum > 0 and not attisdropped order by attrelid, attnum`;

const INDEXED = `
  select i.indrelid::int8::text as oid, a.attname as name from pg_index i
    join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0] where i.indrelid = any($1::oid[])`;

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

/** Returns what the type of an enum column says as the check constraint that other engines write for it. */
function enumCheck({ name, type, labels }: ColumnRow): CheckConstraint[] {
  if (labels === null) return [];
  const values = labels.map((label) => `'${label.replaceAll("'", "''")}'`);
  return [{ name: type, sql: `CHECK (${quoted(name)} IN (${values.join(', ')}))` }];
}

function foreignKey(row: ConstraintRow): ForeignKey {
  return {
    name: row.name,
    columns: row.columns,
    references: { schema: row.ref_schema ?? '', table: row.ref_table ?? '', columns: row.ref_columns ?? [] },
    on_delete: DELETE_RULES[row.on_delete] ?? 'NO ACTION',
  };
}

/**
 * Returns the row count, or the estimate for a table that cannot be counted (locked, or behind a policy that fails), so
 * that it hides no other.
 */
async function countOrEstimate(query: Query, relation: Relation): ReturnType<typeof rowCount> {
  await query('savepoint counting');
  try {
    const counted = await rowCount(query, relation);
    await query('release savepoint counting');
    return counted;
  } catch {
    // Fails too where the connection is lost.
    await query('rollback to savepoint counting');
    return { row_count: Math.max(0, Number(relation.estimate)), row_count_estimated: true };
  }
}

/** Returns the row count: exact up to 100,000 rows, beyond that the planner's estimate, marked. */
async function rowCount(
  query: Query,
  relation: Relation,
): Promise<Pick<TableInfo, 'row_count' | 'row_count_estimated'>> {
  const estimate = Number(relation.estimate);
  if (estimate > EXACT_UP_TO * 2) return { row_count: estimate, row_count_estimated: true };
  const table = qualified(relation.schema, relation.name);
  const [row] = await query<{ n: string }>(
    `select count(*)::text as n from (select 1 from ${table} limit ${EXACT_UP_TO + 1}) t`,
  );
  const counted = Number(row?.n ?? 0);
  if (counted <= EXACT_UP_TO) return { row_count: counted, row_count_estimated: false };
  const [plan] = await query<{ 'QUERY PLAN': ReadonlyArray<{ Plan?: { 'Plan Rows'?: number } }> }>(
    `explain (format json) select 1 from ${table}`,
  );
  const planned = Number(plan?.['QUERY PLAN'][0]?.Plan?.['Plan Rows'] ?? 0);
  return { row_count: Math.max(planned, counted), row_count_estimated: true };
}
