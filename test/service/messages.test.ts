import { messagesSuite } from './messages.suite.js';

messagesSuite('SQLite', {});
