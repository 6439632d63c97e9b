import { type Kysely, type RawBuilder, sql } from 'kysely';
import { slicer } from '../../core/async/slices.js';
import { boundedParts } from '../../core/group-by.js';
import type { Database } from './schema.js';
import { isPostgres } from './sql.js';

type Value = string | number | null | Uint8Array;
export type ValueRow = readonly Value[];
type Type = 'int' | 'real' | 'text' | 'blob';
/** Column name → type, in the order of the rows' values. */
export type ColumnTypes = Readonly<Record<string, Type>>;

const POSTGRES_TYPE = { int: 'bigint', real: 'double precision', text: 'text', blob: 'text' } as const;

/** Reads columns as a statement that creates a table has them: `ref int, name text`. */
export function columnTypes(list: string): ColumnTypes {
  const columns = list.split(/,\s+/).map((column) => column.split(' ') as [string, Type]);
  const wrong = columns.find(([, type]) => !Object.hasOwn(POSTGRES_TYPE, type));
  if (wrong !== undefined) throw new Error(`Column ${wrong.join(' ')} has no known type.`);
  return Object.fromEntries(columns);
}

/** Returns what takes the values of these columns out of an object. */
export function rowOf(columns: ColumnTypes): (item: object) => ValueRow {
  const names = Object.keys(columns);
  return (item) => names.map((name) => (item as Readonly<Record<string, Value>>)[name]!);
}

/** Returns rows as a derived table `name` of a statement, however many they are: one parameter, or one for each column. */
export function rowsAs(
  db: Kysely<Database>,
  name: string,
  { columns, rows }: { readonly columns: ColumnTypes; readonly rows: readonly ValueRow[] },
): RawBuilder<unknown> {
  const given = Object.values(columns).includes('blob') ? rows.map((row) => row.map(withHexBlob)) : rows;
  const items = isPostgres(db) ? fromArrays(columns, given) : fromJson(columns, given);
  return sql`(${items}) as ${sql.ref(name)}`;
}

function fromJson(columns: ColumnTypes, rows: readonly ValueRow[]): RawBuilder<unknown> {
  const picked = Object.entries(columns).map(([column, type], i) => {
    const value = sql`json_extract(value, ${sql.lit(`$[${i}]`)})`;
    return sql`${type === 'blob' ? sql`unhex(${value})` : value} as ${sql.ref(column)}`;
  });
  return sql`select ${sql.join(picked)} from json_each(${JSON.stringify(rows)})`;
}

/** PostgreSQL takes a list of JSON for a hundred rows, whatever is in it, and then reads a joined table whole; an array it counts. */
function fromArrays(columns: ColumnTypes, rows: readonly ValueRow[]): RawBuilder<unknown> {
  const entries = Object.entries(columns);
  const arrays = entries.map(([, type], i) => sql`${rows.map((row) => row[i])}::${sql.raw(POSTGRES_TYPE[type])}[]`);
  const names = entries.map(([column]) => sql.ref(column));
  const picked = entries.map(([column, type], i) =>
    type === 'blob' ? sql`decode(${names[i]}, 'hex') as ${sql.ref(column)}` : names[i],
  );
  return sql`select ${sql.join(picked)} from unnest(${sql.join(arrays)}) as t(${sql.join(names)})`;
}

function withHexBlob(value: Value): string | number | null {
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value;
}

/** Characters of text in one statement, so that none takes long; a larger value has a statement of its own. */
const CHARACTERS = 200_000;
const OF_ROWS = { most: 1000, longest: CHARACTERS, lengthOf: lengthOfRow };
const OF_VALUES = { most: 2000, longest: CHARACTERS, lengthOf: lengthOfValue };

function* distinct(values: Iterable<string | number>): Generator<string | number> {
  const seen = new Set<string | number>();
  for (const value of values) {
    if (seen.has(value)) continue;
    seen.add(value);
    yield value;
  }
}

function lengthOfValue(value: Value): number {
  return typeof value === 'string' || value instanceof Uint8Array ? value.length : 0;
}

function lengthOfRow(row: ValueRow): number {
  return row.reduce<number>((sum, value) => sum + lengthOfValue(value), 0);
}

/** Inserts many rows in statements of a thousand at most, giving way to the event loop in between. */
export async function insertRows(
  db: Kysely<Database>,
  table: keyof Database & string,
  {
    columns,
    rows,
    tail,
  }: { readonly columns: ColumnTypes; readonly rows: readonly ValueRow[]; readonly tail?: RawBuilder<unknown> },
): Promise<unknown[]> {
  const names = sql.join(Object.keys(columns).map((column) => sql.ref(column)));
  const pause = slicer();
  const returned: unknown[] = [];
  for (const part of boundedParts(rows, OF_ROWS)) {
    // "where true" keeps SQLite from reading "on conflict" as a join condition.
    const result = await sql`insert into ${sql.table(table)} (${names})
      select ${names} from ${rowsAs(db, 'given', { columns, rows: part })} where true ${tail ?? sql``}`.execute(db);
    for (const row of result.rows) returned.push(row);
    await pause();
  }
  return returned;
}

// Reads are urgent: somebody waits for them. A writer of SQLite gives way, as patient, after each statement anyhow.

async function withRows<T>(
  db: Kysely<Database>,
  { columns, rows }: { readonly columns: ColumnTypes; readonly rows: readonly ValueRow[] },
  statement: (given: RawBuilder<unknown>) => RawBuilder<T>,
): Promise<T[]> {
  const pause = slicer('urgent');
  const found: T[] = [];
  for (const part of boundedParts(rows, OF_ROWS)) {
    const result = await statement(rowsAs(db, 'given', { columns, rows: part })).execute(db);
    for (const row of result.rows) found.push(row);
    await pause();
  }
  return found;
}

async function withValues<T>(
  db: Kysely<Database>,
  values: Iterable<string> | Iterable<number>,
  statement: (given: RawBuilder<unknown>) => RawBuilder<T>,
): Promise<T[]> {
  const pause = slicer('urgent');
  const found: T[] = [];
  for (const part of boundedParts(distinct(values), OF_VALUES)) {
    const result = await statement(valuesAs(db, part)).execute(db);
    for (const row of result.rows) found.push(row);
    await pause();
  }
  return found;
}

/** Returns distinct values as the derived table `given` with one column `v`. */
export function valuesAs(db: Kysely<Database>, values: readonly (string | number)[]): RawBuilder<unknown> {
  if (!isPostgres(db)) return sql`(select value as v from json_each(${JSON.stringify(values)})) as given`;
  const type = sql.raw(typeof values[0] === 'number' ? 'bigint[]' : 'text[]');
  return sql`(select unnest(${values}::${type}) as v) as given`;
}

/** Stands for the table `given` in a statement of `forValues` or `forRows`. */
export const GIVEN = Symbol('given');

/** Takes a statement as a template, as `sql` does; returns the rows that it found. */
type Statement = <T = unknown>(parts: TemplateStringsArray, ...values: unknown[]) => Promise<T[]>;

/**
 * Runs the statement that follows for slices of a list of single values, read as `given.v`. Where a joined table has an index that
 * another condition alone could use (its domain's), write `cross join` and `where`: SQLite then reads the list first, not the list
 * once for each row of the domain.
 */
export function forValues(db: Kysely<Database>, values: Iterable<string> | Iterable<number>): Statement {
  return (parts, ...rest) => withValues(db, values, (given) => sql(parts, ...inPlace(given, rest)));
}

/** Runs the statement that follows for every thousand rows at most, which it reads as the table `given`. */
export function forRows(db: Kysely<Database>, columns: ColumnTypes, rows: readonly ValueRow[]): Statement {
  return (parts, ...rest) => withRows(db, { columns, rows }, (given) => sql(parts, ...inPlace(given, rest)));
}

function inPlace(given: RawBuilder<unknown>, values: readonly unknown[]): unknown[] {
  return values.map((value) => (value === GIVEN ? given : value));
}
