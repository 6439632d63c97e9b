import { afterAll } from '@jest/globals';
import { ratingsSuite } from '../service/ratings.suite.js';
import { liveUrl } from '../vector/live-engine.js';
import { FreshDatabases } from './fresh-databases.js';

const server = liveUrl('PG_URL', 'PostgreSQL');
if (server === undefined) throw new Error('PG_URL is not set; run the live tests with `npm run test:live`.');
const databases = new FreshDatabases(server);
afterAll(() => databases.dropAll());

/** What is forgotten here is forgotten beside other writers. */
ratingsSuite('PostgreSQL', () => databases.environment());
