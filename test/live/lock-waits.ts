import { type Kysely, sql } from 'kysely';
import type { Database } from '../../src/backends/store/schema.js';

/** Resolves when a transaction on this PostgreSQL server waits for the lock of a domain. */
export async function untilLockIsAwaited(db: Kysely<Database>): Promise<void> {
  for (;;) {
    const { rows } = await sql`select 1 from pg_locks where not granted and locktype = 'advisory'`.execute(db);
    if (rows.length > 0) return;
    await new Promise((done) => setTimeout(done, 20));
  }
}
