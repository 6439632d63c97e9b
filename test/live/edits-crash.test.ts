import { afterAll } from '@jest/globals';
import { editsCrashSuite } from '../edits/edits-crash.suite.js';
import { liveUrl } from '../vector/live-engine.js';
import { emptyQdrant } from './empty-qdrant.js';
import { FreshDatabases } from './fresh-databases.js';

const server = liveUrl('PG_URL', 'PostgreSQL');
const qdrant = liveUrl('QDRANT_URL', 'Qdrant');
if (server === undefined || qdrant === undefined) throw new Error('Run the live tests with `npm run test:live`.');
const databases = new FreshDatabases(server);
afterAll(() => databases.dropAll());

editsCrashSuite('PostgreSQL', () => databases.environment());
editsCrashSuite('Qdrant', () => emptyQdrant(qdrant));
