import { afterAll, expect, it } from '@jest/globals';
import { openPostgres } from '../../src/backends/store/engine/postgres.js';
import { describeLive, liveUrl } from '../vector/live-engine.js';
import { FreshDatabases } from './fresh-databases.js';

describeLive('a new database', liveUrl('PG_URL', 'PostgreSQL'), (server) => {
  const databases = new FreshDatabases(server);
  afterAll(() => databases.dropAll());

  it('is set up once when many replicas start on it together', async () => {
    for (let round = 0; round < 5; round += 1) {
      const url = await databases.make();
      const stores = await Promise.all(Array.from({ length: 6 }, () => openPostgres(url, { connections: 2 })));
      await Promise.all(stores.map((store) => store.health()));
      const { length } = await stores[0]!.db.selectFrom('concept_index').selectAll().execute();
      expect(length).toBe(0);
      await Promise.all(stores.map((store) => store.close()));
    }
  });
});
