import { editsCrashSuite } from './edits-crash.suite.js';

editsCrashSuite('the embedded engines', async () => ({}));
