import { operations as op } from '../operations/index.js';
import { acceptUpload } from './body/upload.js';
import { builtPage } from './built-page.js';
import type { Route } from './route.js';

/** Makes the console in the browser. The page is open; the data that it requests is not. */
export function consoleRoutes(): Route[] {
  return [
    { method: 'GET', path: '/', auth: 'open', handle: builtPage('console', 'Knowledge console') },
    { method: 'POST', path: '/console/upload', operation: op.ingest_upload, body: 'multipart', accept: acceptUpload },
  ];
}
