import { type Kysely, sql } from 'kysely';
import { sortInSlices } from '../../../core/async/sort-in-slices.js';
import type { Database } from '../schema.js';
import { anyOf, chunks } from '../sql.js';

const ROWS = 1000;

/** Remembers keys and returns those that were not known before. */
export async function claimKeys(db: Kysely<Database>, keys: readonly string[], at: number): Promise<Set<string>> {
  const fresh = new Set<string>();
  // In one order everywhere, so that two replicas never wait for each other.
  const sorted = await sortInSlices([...new Set(keys)], (a, b) => (a < b ? -1 : 1));
  for (const part of chunks(sorted, ROWS)) {
    const rows = await db
      .insertInto('intake_key')
      .values(part.map((key) => ({ key, at })))
      .onConflict((conflict) => conflict.column('key').doNothing())
      .returning('key')
      .execute();
    for (const row of rows) fresh.add(row.key);
  }
  return fresh;
}

/** Returns those of the keys that were claimed before. */
export async function knownKeys(db: Kysely<Database>, keys: readonly string[]): Promise<Set<string>> {
  const known = new Set<string>();
  for (const part of chunks([...new Set(keys)], ROWS)) {
    const rows = await db
      .selectFrom('intake_key')
      .select('key')
      .where(anyOf(db, 'key', part))
      .execute();
    for (const row of rows) known.add(row.key);
  }
  return known;
}

/** Deletes up to `limit` keys taken before a moment; returns how many were deleted. */
export async function pruneKeys(db: Kysely<Database>, before: number, limit: number): Promise<number> {
  const result = await db
    .deleteFrom('intake_key')
    .where('key', 'in', (eb) => eb.selectFrom('intake_key').select('key').where('at', '<', before).limit(limit))
    .executeTakeFirst();
  return Number(result.numDeletedRows);
}

/** Adds to counters by name. */
export async function addCounters(db: Kysely<Database>, by: Readonly<Record<string, number>>): Promise<void> {
  const rows = Object.entries(by)
    .filter(([, value]) => value !== 0)
    .map(([name, value]) => ({ name, value }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  if (rows.length === 0) return;
  await db
    .insertInto('gateway_counter')
    .values(rows)
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet({ value: sql`gateway_counter.value + excluded.value` }),
    )
    .execute();
}

export async function readCounters(db: Kysely<Database>): Promise<Record<string, number>> {
  const rows = await db.selectFrom('gateway_counter').select(['name', 'value']).execute();
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
}
