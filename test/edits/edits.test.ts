import { editsSuite } from './edits.suite.js';

editsSuite('the embedded engines', {});
