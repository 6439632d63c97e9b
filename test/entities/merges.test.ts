import { mergesSuite } from './merges.suite.js';

mergesSuite('the embedded engines', {});
