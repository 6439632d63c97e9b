import { afterAll } from '@jest/globals';
import { messagesSuite } from '../service/messages.suite.js';
import { sessionsSuite } from '../service/sessions.suite.js';
import { liveUrl } from '../vector/live-engine.js';
import { FreshDatabases } from './fresh-databases.js';

const server = liveUrl('PG_URL', 'PostgreSQL');
if (server === undefined) throw new Error('PG_URL is not set; run the live tests with `npm run test:live`.');
const databases = new FreshDatabases(server);
afterAll(() => databases.dropAll());

/** Writers run beside each other here: the database's own locks keep the turns apart. */
sessionsSuite('PostgreSQL', () => databases.environment());
messagesSuite('PostgreSQL', () => databases.environment());
