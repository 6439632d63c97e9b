import { afterAll, describe, expect, it } from '@jest/globals';
import { openPostgres } from '../../src/backends/store/engine/postgres.js';
import { lockDomain } from '../../src/backends/store/locks.js';
import { Ledger } from '../../src/ledger/ledger.js';
import { D, source } from '../contracts/graph/fixture.js';
import { describeLive, liveUrl } from '../vector/live-engine.js';
import { FreshDatabases } from './fresh-databases.js';
import { untilLockIsAwaited } from './lock-waits.js';

describeLive('version stamps', liveUrl('PG_URL', 'PostgreSQL'), (server) => {
  const databases = new FreshDatabases(server);
  afterAll(() => databases.dropAll());

  const says = (key: string) => source(key, { concepts: [{ name: 'Gate', description: `as ${key} says` }] });

  describe('of two writes of one domain on PostgreSQL', () => {
    it.each([
      ['a', 'b'],
      ['b', 'a'],
    ])('the one that gets the lock later (%s, then %s) is the newer one', async (first, second) => {
      const url = await databases.make();
      const stores = [await openPostgres(url), await openPostgres(url)] as const;
      const [one, two] = stores.map((store) => new Ledger(store)) as [Ledger, Ledger];
      await one.createDomain(D);
      let later: Promise<unknown> | undefined;
      await stores[0].write(async (scope) => {
        await lockDomain(scope.db, D);
        later = two.ingestManifest(says(second));
        // The second write is in its transaction now, and waits for the lock.
        await untilLockIsAwaited(stores[0].db);
        await one.ingestManifest(says(first), scope);
      });
      await later;
      const [gate] = await one.findNodes({ domain: D });
      expect(gate?.description).toBe(`as ${second} says`);
      for (const store of stores) await store.close();
    });
  });
});
