import { afterAll } from '@jest/globals';
import { forgetMessageSuite } from '../edits/forget-message.suite.js';
import { liveUrl } from '../vector/live-engine.js';
import { FreshDatabases } from './fresh-databases.js';

const server = liveUrl('PG_URL', 'PostgreSQL');
if (server === undefined) throw new Error('PG_URL is not set; run the live tests with `npm run test:live`.');
const databases = new FreshDatabases(server);
afterAll(() => databases.dropAll());

forgetMessageSuite('PostgreSQL', () => databases.environment());
