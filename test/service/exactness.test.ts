import { exactnessSuite } from './exactness.suite.js';

exactnessSuite('the embedded engines', {});
