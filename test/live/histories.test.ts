import { afterAll } from '@jest/globals';
import { historiesSuite } from '../service/histories.suite.js';
import { liveUrl } from '../vector/live-engine.js';
import { FreshDatabases } from './fresh-databases.js';
import { neo4jEnvironment } from './neo4j.js';

const server = liveUrl('PG_URL', 'PostgreSQL');
if (server === undefined) throw new Error('PG_URL is not set; run the live tests with `npm run test:live`.');
const databases = new FreshDatabases(server);
afterAll(() => databases.dropAll());

// `npm run test:histories -- --live` asks for many more.
const count = Number(process.env.HISTORIES ?? 20);
const seed = process.env.HISTORIES_SEED ?? 'live';

historiesSuite('PostgreSQL', { environment: () => databases.environment(), count, seed });
historiesSuite('Neo4j', { environment: neo4jEnvironment, count: Math.ceil(count / 2), seed });
