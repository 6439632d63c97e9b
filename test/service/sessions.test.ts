import { sessionsSuite } from './sessions.suite.js';

sessionsSuite('the embedded engines', {});
sessionsSuite('a graph in memory', { SVC_GRAPH: 'memory' });
