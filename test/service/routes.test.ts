import { variantASuite } from './routes.suite.js';

variantASuite('the embedded engines', {});
