import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database } from './schema.js';
import type { Store } from './scope.js';
import { isPostgres } from './sql.js';

/** No lease lasts longer, in milliseconds: a row that claims more was written under a wrong clock and counts as expired. */
export const LONGEST = 10 * 60_000;

/** Returns milliseconds since the epoch: of the PostgreSQL server, so that replicas with wrong clocks agree, else `now`. */
export function timeOf(db: Kysely<Database>, now: number): RawBuilder<number> {
  return isPostgres(db) ? sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint` : sql<number>`${now}`;
}

/** Takes a lease, or renews one that `holder` has; false while another holder has it and it has not expired. */
export async function takeLease(
  db: Kysely<Database>,
  lease: { readonly name: string; readonly holder: string; readonly now: number; readonly ttl: number },
): Promise<boolean> {
  const now = timeOf(db, lease.now);
  const expires_at = sql<number>`${now} + ${lease.ttl}`;
  const taken = await db
    .insertInto('lease')
    .values({ name: lease.name, holder: lease.holder, expires_at })
    .onConflict((c) =>
      c
        .column('name')
        .doUpdateSet({ holder: lease.holder, expires_at })
        .where((eb) =>
          eb.or([
            eb('lease.holder', '=', lease.holder),
            eb('lease.expires_at', '<', now),
            eb('lease.expires_at', '>', sql<number>`${now} + ${LONGEST}`),
          ]),
        ),
    )
    .returning('holder')
    .executeTakeFirst();
  return taken !== undefined;
}

async function dropLease(db: Kysely<Database>, name: string, holder: string): Promise<void> {
  await db.deleteFrom('lease').where('name', '=', name).where('holder', '=', holder).execute();
}

/**
 * Runs `work` while holding a lease that is renewed every third of `ttl` ms; null, without running it, where another
 * holder has it. After kill -9 the lease is free again when it expires.
 */
export async function withLease<T>(
  store: Store,
  lease: { readonly name: string; readonly holder: string; readonly ttl: number; readonly clock: () => number },
  work: () => Promise<T>,
): Promise<T | null> {
  const take = (): Promise<boolean> => store.write((scope) => takeLease(scope.db, { ...lease, now: lease.clock() }));
  if (!(await take())) return null;
  const renewal = setInterval(() => void take().catch(() => false), lease.ttl / 3);
  try {
    return await work();
  } finally {
    clearInterval(renewal);
    await store.write((scope) => dropLease(scope.db, lease.name, lease.holder)).catch(() => undefined);
  }
}

/** Returns whether a process holds a lease at `now`. */
export async function isLeased(store: Store, name: string, now: number): Promise<boolean> {
  const time = timeOf(store.db, now);
  const row = await store.db
    .selectFrom('lease')
    .select('holder')
    .where('name', '=', name)
    .where('expires_at', '>=', time)
    .where('expires_at', '<=', sql<number>`${time} + ${LONGEST}`)
    .executeTakeFirst();
  return row !== undefined;
}

/** Deletes all leases, for a start that has proved that no other process uses the store (the lock of a directory). */
export async function clearLeases(store: Store): Promise<void> {
  await store.write(async ({ db }) => void (await db.deleteFrom('lease').execute()));
}
