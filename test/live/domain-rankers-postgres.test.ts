import { afterAll } from '@jest/globals';
import { openPostgres } from '../../src/backends/store/engine/postgres.js';
import { describeDomainRankers } from '../learning/domain-rankers.suite.js';
import { describeLive, liveUrl } from '../vector/live-engine.js';
import { FreshDatabases } from './fresh-databases.js';

describeLive('the weights of a domain on PostgreSQL', liveUrl('PG_URL', 'PostgreSQL'), (server) => {
  const databases = new FreshDatabases(server);
  afterAll(() => databases.dropAll());
  describeDomainRankers(async () => openPostgres(await databases.make(), { connections: 4 }));
});
