import { type Kysely, sql } from 'kysely';
import { fnv1a } from '../../core/random.js';
import type { Database } from './schema.js';
import { isPostgres } from './sql.js';

/**
 * Locks a domain against other writers until this transaction ends. SQLite has one writer, so there is nothing to take.
 */
export async function lockDomain(db: Kysely<Database>, domain: string): Promise<void> {
  if (!isPostgres(db)) return;
  await sql`select pg_advisory_xact_lock(781220642, ${fnv1a(domain) | 0})`.execute(db);
}
