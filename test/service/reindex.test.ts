import { reindexSuite } from './reindex.suite.js';

reindexSuite('the embedded engines', async () => ({}));
