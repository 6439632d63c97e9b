import { afterAll } from '@jest/globals';
import { badInputSuite } from '../service/bad-input.suite.js';
import { exactnessSuite } from '../service/exactness.suite.js';
import { reindexSuite } from '../service/reindex.suite.js';
import { variantASuite } from '../service/routes.suite.js';
import { vectorBadInputSuite } from '../service/vector-bad-input.suite.js';
import { liveUrl } from '../vector/live-engine.js';
import { FreshDatabases } from './fresh-databases.js';

const server = liveUrl('PG_URL', 'PostgreSQL');
if (server === undefined) throw new Error('PG_URL is not set; run the live tests with `npm run test:live`.');
const databases = new FreshDatabases(server);
afterAll(() => databases.dropAll());

/** Everything in one PostgreSQL: store, graph, text index, vectors in pgvector. */
const fresh = () => databases.environment();

variantASuite('PostgreSQL', fresh);
badInputSuite('PostgreSQL', fresh);
vectorBadInputSuite('PostgreSQL', fresh);
exactnessSuite('PostgreSQL', fresh);
reindexSuite('PostgreSQL', fresh);
