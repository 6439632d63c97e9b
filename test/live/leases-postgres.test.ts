import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openPostgres, type PostgresStore } from '../../src/backends/store/engine/postgres.js';
import { isLeased, withLease } from '../../src/backends/store/leases.js';
import { describeLive, liveUrl } from '../vector/live-engine.js';
import { FreshDatabases } from './fresh-databases.js';

const YEAR = 365 * 86_400_000;

describeLive('leases of several replicas', liveUrl('PG_URL', 'PostgreSQL'), (server) => {
  const databases = new FreshDatabases(server);
  let store: PostgresStore;
  beforeAll(async () => {
    store = await openPostgres(await databases.make(), { connections: 4 });
  });
  afterAll(async () => {
    await store.close();
    await databases.dropAll();
  });

  const lease = (holder: string, clock: () => number) => ({ name: 'restore', holder, ttl: 30_000, clock });
  const done = () => Promise.resolve('done');
  const left = (expires_at: number) =>
    store.write(async ({ db }) => {
      await db.deleteFrom('lease').execute();
      await db.insertInto('lease').values({ name: 'restore', holder: 'dead', expires_at }).execute();
    });

  it('go by the clock of the server: a holder is kept out whatever its own clock says', async () => {
    const inside = await withLease(
      store,
      lease('one', () => Date.now() - YEAR),
      () =>
        withLease(
          store,
          lease('two', () => Date.now() + YEAR),
          done,
        ),
    );
    expect(inside).toBeNull();
  });

  it('of a killed restore end with their time, and at once where a wrong clock wrote them', async () => {
    await left(Date.now() + 20_000);
    expect(await isLeased(store, 'restore', Date.now())).toBe(true);
    expect(await withLease(store, lease('me', Date.now), done)).toBeNull();
    for (const expires_at of [Date.now() - 1000, Date.now() + YEAR]) {
      await left(expires_at);
      expect(await isLeased(store, 'restore', Date.now())).toBe(false);
      expect(await withLease(store, lease('me', Date.now), done)).toBe('done');
    }
  });
});
