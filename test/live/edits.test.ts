import { afterAll } from '@jest/globals';
import { editsSuite } from '../edits/edits.suite.js';
import { laterNamesSuite } from '../edits/later-names.suite.js';
import { liveUrl } from '../vector/live-engine.js';
import { FreshDatabases } from './fresh-databases.js';
import { neo4jEnvironment } from './neo4j.js';

const server = liveUrl('PG_URL', 'PostgreSQL');
if (server === undefined) throw new Error('PG_URL is not set; run the live tests with `npm run test:live`.');
const databases = new FreshDatabases(server);
afterAll(() => databases.dropAll());

editsSuite('PostgreSQL', () => databases.environment());
editsSuite('Neo4j', neo4jEnvironment);
laterNamesSuite('PostgreSQL', () => databases.environment());
laterNamesSuite('Neo4j', neo4jEnvironment);
