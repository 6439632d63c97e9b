import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database } from './schema.js';

/** Builds `column in (values)` with one parameter however many values there are. Sorts numbers and texts alike. */
export function anyOf(db: Kysely<Database>, column: string, values: readonly (string | number)[]): RawBuilder<boolean> {
  const ref = sql.ref(column);
  if (isPostgres(db)) {
    return typeof values[0] === 'number'
      ? sql<boolean>`${ref} = any(${values}::bigint[])`
      : sql<boolean>`${ref} = any(${values}::text[])`;
  }
  return sql<boolean>`${ref} in (select value from json_each(${JSON.stringify(values)}))`;
}

export function isPostgres(db: Kysely<Database>): boolean {
  return db.getExecutor().adapter.constructor.name.startsWith('Postgres');
}

/** Builds the sum of columns over rows as a double: sums of integers would overflow. Null without rows. */
export function sumOf(...columns: readonly string[]): RawBuilder<number> {
  const doubles = columns.map((column) => sql`cast(${sql.ref(column)} as double precision)`);
  return sql<number>`sum(${sql.join(doubles, sql` + `)})`;
}

/** Splits a list so that one statement stays under the dialects' parameter limits. */
export function* chunks<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}
