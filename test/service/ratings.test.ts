import { ratingsSuite } from './ratings.suite.js';

ratingsSuite('the embedded engines', {});
ratingsSuite('a graph in memory', { SVC_GRAPH: 'memory' });
