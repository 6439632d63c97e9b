import type { Kysely } from 'kysely';
import type { Database } from './schema.js';
import type { Store } from './scope.js';

/** Takes a lease, or renews one that `holder` has; false while somebody else holds it and it has not expired. */
async function takeLease(
  db: Kysely<Database>,
  lease: { readonly name: string; readonly holder: string; readonly now: number; readonly ttl: number },
): Promise<boolean> {
  const expires_at = lease.now + lease.ttl;
  const taken = await db
    .insertInto('lease')
    .values({ name: lease.name, holder: lease.holder, expires_at })
    .onConflict((c) =>
      c
        .column('name')
        .doUpdateSet({ holder: lease.holder, expires_at })
        .where((eb) => eb.or([eb('lease.holder', '=', lease.holder), eb('lease.expires_at', '<', lease.now)])),
    )
    .returning('holder')
    .executeTakeFirst();
  return taken !== undefined;
}

async function dropLease(db: Kysely<Database>, name: string, holder: string): Promise<void> {
  await db.deleteFrom('lease').where('name', '=', name).where('holder', '=', holder).execute();
}

/**
 * Runs `work` while holding a lease that is renewed every third of `ttl` ms; null, without running it, where somebody
 * else holds it. After kill -9 the lease is free again when it expires.
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

/** Whether somebody holds a lease now. */
export async function isHeld(store: Store, name: string, now: number): Promise<boolean> {
  const row = await store.db.selectFrom('lease').select('expires_at').where('name', '=', name).executeTakeFirst();
  return row !== undefined && row.expires_at >= now;
}
