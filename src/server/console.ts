import { operations as op } from '../operations/index.js';
import { acceptUpload } from './body/upload.js';
import { builtPage } from './built-page.js';
import type { Page, RouteRow } from './route.js';

/** The console in the browser. The page is open; the data that it requests is not. */
export const consolePage: Page = {
  method: 'GET',
  path: '/',
  auth: 'open',
  handle: builtPage('console', 'Knowledge console'),
};

/** Where the console sends files: variant A has no route for uploads, so this one is not part of its description. */
export const consoleUpload: RouteRow = {
  method: 'POST',
  path: '/console/upload',
  operation: op.ingest_upload,
  body: 'multipart',
  accept: acceptUpload,
};
