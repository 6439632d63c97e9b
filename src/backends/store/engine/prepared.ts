import type SqliteDatabase from 'better-sqlite3';

/** Statements kept per connection; the service has about two hundred. */
const MOST = 500;

/**
 * Keeps a connection's prepared statements: Kysely prepares one for every execution, which costs as much as running a
 * small query. A statement that still runs (an open cursor) is prepared anew.
 */
export function keepPrepared(database: SqliteDatabase.Database): void {
  const kept = new Map<string, SqliteDatabase.Statement>();
  const prepare = database.prepare.bind(database);
  database.prepare = ((sql: string) => {
    const known = kept.get(sql);
    if (known !== undefined && !known.busy) return known;
    const statement = prepare(sql);
    if (kept.size >= MOST) kept.delete(kept.keys().next().value!);
    kept.set(sql, statement);
    return statement;
  }) as typeof database.prepare;
}
