import { forgetMessageSuite } from './forget-message.suite.js';

forgetMessageSuite('the embedded engines', {});
