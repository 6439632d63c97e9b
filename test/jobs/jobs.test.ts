import { jobsSuite } from './jobs.suite.js';

jobsSuite('SQLite', { SVC_JOB_RETENTION_ROWS: '2' });
