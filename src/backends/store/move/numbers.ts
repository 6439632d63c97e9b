import { sql } from 'kysely';
import type { Db } from '../schema.js';
import { isPostgres } from '../sql.js';
import type { Table } from './tables.js';

/** Makes a table go on numbering its rows where the source stopped: numbers are never used again. */
export async function continueNumbers(source: Db, target: Db, table: Table): Promise<void> {
  const last = await lastNumber(source, table);
  if (last === 0) return;
  const { name } = table;
  if (isPostgres(target)) {
    await sql`select setval(${sequenceOf(table)}, ${last}::bigint)`.execute(target);
    return;
  }
  await sql`insert into sqlite_sequence (name, seq)
    select ${name}, 0 where not exists (select 1 from sqlite_sequence where name = ${name})`.execute(target);
  await sql`update sqlite_sequence set seq = max(seq, ${last}) where name = ${name}`.execute(target);
}

/** Returns the last number that a table gave to a row; 0 where it gave none, or numbers nothing. */
async function lastNumber(db: Db, table: Table): Promise<number> {
  if (table.key.length !== 1) return 0;
  const { rows } = await (isPostgres(db)
    ? sql<{ last: number | null }>`select pg_sequence_last_value(${sequenceOf(table)}) as last`
    : sql<{ last: number | null }>`
        select max(seq, (select coalesce(max(${sql.ref(table.key[0]!)}), 0) from ${sql.table(table.name)})) as last
        from sqlite_sequence where name = ${table.name}`
  ).execute(db);
  return rows[0]?.last ?? 0;
}

function sequenceOf({ name, key }: Table) {
  return sql`pg_get_serial_sequence(${name}, ${key[0]})::regclass`;
}
