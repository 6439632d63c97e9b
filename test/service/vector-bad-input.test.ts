import { vectorBadInputSuite } from './vector-bad-input.suite.js';

vectorBadInputSuite('hnsw', {});
vectorBadInputSuite('memory', { SVC_VEC: 'memory' });
