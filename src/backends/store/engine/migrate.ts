import { type Kysely, sql } from 'kysely';
import { SvcError } from '../../../core/errors.js';
import type { Columns, Dialect } from '../columns.js';
import { migrations } from './migrations.js';

/** Brings the tables up to date, each step in a transaction of its own. Refuses a store made by a newer release. */
export async function migrateStore(db: Kysely<never>, columns: Columns): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await lockMigrations(tx, columns.dialect);
    await sql`create table if not exists migration (name text primary key, applied_at text not null)`.execute(tx);
  });
  const applied = await sql<{ name: string }>`select name from migration`.execute(db);
  const done = new Set(applied.rows.map((row) => row.name));
  for (const migration of migrations) {
    if (done.delete(migration.name)) continue;
    await db.transaction().execute(async (tx) => {
      await lockMigrations(tx, columns.dialect);
      const again = await sql<{ name: string }>`select name from migration where name = ${migration.name}`.execute(tx);
      if (again.rows.length > 0) return;
      await migration.up(tx as unknown as Kysely<unknown>, columns);
      await sql`insert into migration (name, applied_at) values (${migration.name}, ${new Date().toISOString()})`.execute(
        tx,
      );
    });
  }
  const unknown = [...done];
  if (unknown.length > 0) {
    throw new SvcError(
      'unavailable',
      `The data was written by a newer release (migration ${unknown[0]}); start that release.`,
    );
  }
}

/**
 * Locks migrations until the transaction ends: replicas that start together change the tables one after the other; even
 * `if not exists` fails when two meet.
 */
export async function lockMigrations(tx: Kysely<never>, dialect: Dialect): Promise<void> {
  if (dialect === 'postgres') await sql`select pg_advisory_xact_lock(781220641)`.execute(tx);
}
