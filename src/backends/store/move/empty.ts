import { type Kysely, sql } from 'kysely';
import { SvcError } from '../../../core/errors.js';
import { lockMigrations } from '../engine/migrate.js';
import { migrations } from '../engine/migrations.js';
import type { Db } from '../schema.js';
import { isPostgres } from '../sql.js';
import { tableNames } from './tables.js';

/** Tables in which the migrations, and a start that nobody wrote to, leave rows. */
const WRITTEN_BY_A_START = new Set([
  'migration',
  'lease',
  'graph_meta',
  'text_meta',
  'concept_index',
  'embedding_model',
  'vector_index',
]);

/** Returns the first of some tables that holds what somebody wrote; undefined where none does. */
export async function firstFilled(db: Db, names: readonly string[]): Promise<string | undefined> {
  const present = await tableNames(db);
  for (const name of names) {
    if (WRITTEN_BY_A_START.has(name) || !present.has(name)) continue;
    const { rows } = await sql`select 1 from ${sql.table(name)} limit 1`.execute(db);
    if (rows.length > 0) return name;
  }
  return undefined;
}

/** Throws where a store has not exactly the tables of this release, or none at all. */
export async function requireThisRelease(db: Db): Promise<void> {
  if (!(await tableNames(db)).has('migration'))
    throw new SvcError('not_found', 'The source holds no store; check SVC_DATA_DIR (--data-dir) and DATABASE_URL.');
  const { rows } = await sql<{ name: string }>`select name from migration`.execute(db);
  const known = new Set(migrations.map(({ name }) => name));
  const found = new Set(rows.map(({ name }) => name));
  const newer = rows.find(({ name }) => !known.has(name));
  if (newer !== undefined) {
    const sentence = `The source was written by a newer release (migration ${newer.name}); move it with that release.`;
    throw new SvcError('unavailable', sentence);
  }
  if (migrations.every(({ name }) => found.has(name))) return;
  const sentence =
    'The source was last used by an older release; start this one on it once, which brings its tables up to date, then move it.';
  throw new SvcError('conflict', sentence);
}

/**
 * Keeps services and commands from starting on the database until the transaction ends; throws `conflict` where one runs. The lock
 * comes first: what starts after it waits, and what started before is connected.
 */
export async function keepUnused(tx: Db): Promise<void> {
  if (!isPostgres(tx)) return;
  await lockMigrations(tx as unknown as Kysely<never>, 'postgres');
  await requireUnused(tx);
}

/** Throws `conflict` while a service or a command is connected to the database. Each of them names itself `svc` there. */
export async function requireUnused(db: Db): Promise<void> {
  if (!isPostgres(db)) return;
  const { rows } = await sql<{ pid: number }>`
    select pid from pg_stat_activity
    where datname = current_database() and application_name = 'svc' and pid <> pg_backend_pid()`.execute(db);
  if (rows.length === 0) return;
  throw new SvcError(
    'conflict',
    'A service or another command is connected to the database of DATABASE_URL; stop every replica first, then move.',
    undefined,
    { retriable: true },
  );
}
