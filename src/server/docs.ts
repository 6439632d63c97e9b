import { createReadStream } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { SvcError } from '../core/errors.js';
import { consolePage } from './console.js';
import type { Context, Page, Route } from './route.js';
import { type DocumentConfig, documentOf, type ServedName, servedAs } from './variants.js';

const assets = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
const TYPES: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
};
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Returns the rows and documentation of what is served, and what its address shows in a browser. */
export function routesOf(name: ServedName, config: DocumentConfig): Route[] {
  const { rows, base } = servedAs(name);
  const start = name === 'a' ? consolePage : toDocumentation;
  return [...rows, ...documentationPages(documentOf(name, config), base), start];
}

const toDocumentation: Route = { method: 'GET', path: '/', auth: 'open', handle: (ctx) => ctx.redirect('docs') };

/**
 * Makes the pages of the browsable description: everything it loads comes from this service, by relative addresses, since a
 * proxy may serve it below a path.
 */
export function documentationPages(document: object, base: string): Page[] {
  const openapiPath = `${base}/openapi.json`;
  return [
    {
      method: 'GET',
      path: openapiPath,
      handle: (ctx) => {
        ctx.body = document;
      },
    },
    {
      method: 'GET',
      path: '/docs',
      auth: 'open',
      handle: (ctx) => send(ctx, 'text/html; charset=utf-8', page(titleOf(document), openapiPath)),
    },
    {
      method: 'GET',
      path: '/docs/{file}',
      auth: 'open',
      handle: (ctx) => {
        const file = ctx.state.match.parameters.file ?? '';
        if (file === 'start.js') return send(ctx, 'text/javascript; charset=utf-8', start(openapiPath));
        if (!Object.hasOwn(TYPES, file)) throw new SvcError('not_found', `${ctx.path} is not a path of this service.`);
        return send(ctx, TYPES[file]!, createReadStream(join(assets, file)));
      },
    },
  ];
}

function send(ctx: Context, type: string, content: string | NodeJS.ReadableStream): void {
  ctx.set('Content-Security-Policy', POLICY);
  ctx.set('Referrer-Policy', 'no-referrer');
  ctx.type = type;
  ctx.body = content;
}

function titleOf(document: object): string {
  return (document as { info?: { title?: string } }).info?.title ?? 'API';
}

function page(title: string, openapiPath: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="docs/favicon-32x32.png">
<link rel="stylesheet" href="docs/swagger-ui.css">
</head>
<body>
<noscript>This page needs JavaScript. The description itself is at ${openapiPath}.</noscript>
<div id="api"></div>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/start.js"></script>
</body>
</html>
`;
}

/** Asks for an API key where the description itself is protected; the key stays in the page. */
function start(openapiPath: string): string {
  return `'use strict';
(async () => {
  const address = ${JSON.stringify(openapiPath.slice(1))};
  let key = '';
  let answer = await fetch(address);
  while (answer.status === 401) {
    key = window.prompt('This service needs an API key.') ?? '';
    if (key === '') break;
    answer = await fetch(address, { headers: { Authorization: 'Bearer ' + key } });
  }
  if (!answer.ok) {
    document.getElementById('api').textContent = 'The description cannot be shown: ' + answer.status;
    return;
  }
  const spec = await answer.json();
  spec.servers = [{ url: new URL('.', location.href).href.slice(0, -1) }];
  const ui = SwaggerUIBundle({
    spec,
    dom_id: '#api',
    deepLinking: true,
    validatorUrl: null,
    onComplete: () => { if (key !== '') ui.preauthorizeApiKey('apiKey', key); },
  });
})();
`;
}
