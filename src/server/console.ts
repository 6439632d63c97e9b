import { builtPage } from './built-page.js';
import type { Page } from './route.js';

/** The console in the browser. The page is open; the data that it requests is not. */
export const consolePage: Page = {
  method: 'GET',
  path: '/',
  auth: 'open',
  handle: builtPage('console', 'Knowledge console'),
};
