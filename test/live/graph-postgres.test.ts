import { afterAll, describe } from '@jest/globals';
import { EmbeddedBackend } from '../../src/backends/graph/embedded.js';
import { openPostgres } from '../../src/backends/store/engine/postgres.js';
import { templates } from '../contracts/graph/fixture.js';
import { graphContract } from '../contracts/graph.contract.js';
import { describeLive, liveUrl } from '../vector/live-engine.js';
import { FreshDatabases } from './fresh-databases.js';

describeLive('embedded graph', liveUrl('PG_URL', 'PostgreSQL'), (server) => {
  const databases = new FreshDatabases(server);
  afterAll(() => databases.dropAll());

  describe('embedded graph on PostgreSQL', () => {
    graphContract({
      worlds: 6,
      open: async () => {
        const url = await databases.make();
        const stores = [await openPostgres(url)];
        const graph = new EmbeddedBackend(stores[0]!, { templates });
        await graph.connect();
        return {
          graph,
          replica: async () => {
            const store = await openPostgres(url);
            stores.push(store);
            return new EmbeddedBackend(store, { templates });
          },
          close: async () => {
            for (const store of stores) await store.close();
          },
        };
      },
    });
  });
});
