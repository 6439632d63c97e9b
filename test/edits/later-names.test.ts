import { laterNamesSuite } from './later-names.suite.js';

laterNamesSuite('the embedded engines', {});
