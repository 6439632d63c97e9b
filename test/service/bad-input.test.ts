import { badInputSuite } from './bad-input.suite.js';

badInputSuite('the embedded engines', {});
