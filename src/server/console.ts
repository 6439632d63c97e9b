import { builtPage } from './built-page.js';
import type { Page } from './route.js';

const page = builtPage('console', { title: 'Knowledge console', theme: 'system' });

/**
 * The console in the browser. The page is open; the data that it requests is not. Who does not ask for HTML, such as an
 * agent or curl, is led to the documentation: to the OpenAPI document where it asks
 * for JSON. Addresses are relative: a proxy may serve all this below a path.
 */
export const consolePage: Page = {
  method: 'GET',
  path: '/',
  auth: 'open',
  handle: async (ctx) => {
    ctx.vary('Accept');
    const accepted = ctx.get('Accept');
    if (/\btext\/html\b|\bapplication\/xhtml\+xml\b/i.test(accepted)) await page(ctx);
    else ctx.redirect(/\bjson\b/i.test(accepted) ? 'v1/openapi.json' : 'docs');
  },
};
