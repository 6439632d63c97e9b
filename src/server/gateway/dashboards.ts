import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SvcError } from '../../core/errors.js';
import { packageRoot } from '../../core/package-root.js';
import type { Context, Page } from '../route.js';
import { GREEN_BASE, LEARNING_BASE } from './rows.js';

/** Makes the two dashboards: pages that load nothing else. They are open; the data that they request is not. */
export function dashboardPages(): Page[] {
  return [
    {
      method: 'GET',
      path: `${GREEN_BASE}/dashboard`,
      auth: 'open',
      handle: dashboard('green', 'Emissions of model calls'),
    },
    {
      method: 'GET',
      path: `${LEARNING_BASE}/dashboard`,
      auth: 'open',
      handle: dashboard('learning', 'What agent runs teach'),
    },
  ];
}

function dashboard(name: string, title: string): (ctx: Context) => Promise<void> {
  return async (ctx) => {
    const [script, style] = await Promise.all([built(`${name}.js`), built(`${name}.css`)]);
    const nonce = randomBytes(16).toString('base64');
    ctx.set({
      'Content-Security-Policy': [
        "default-src 'none'",
        `script-src 'nonce-${nonce}'`,
        `style-src 'nonce-${nonce}'`,
        "img-src 'self' data: blob:",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
      ].join('; '),
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
    });
    ctx.type = 'text/html; charset=utf-8';
    ctx.body = page({ title, nonce, script, style });
  };
}

const files = new Map<string, Promise<string>>();

/** Reads a file that `npm run build` made, once. */
function built(name: string): Promise<string> {
  let text = files.get(name);
  if (text === undefined) {
    text = readFile(join(packageRoot(), 'dist', 'web', name), 'utf8').catch((cause: unknown) => {
      files.delete(name);
      throw new SvcError('unavailable', 'The dashboards are not built; run `npm run build`.', undefined, { cause });
    });
    files.set(name, text);
  }
  return text;
}

function page({
  title,
  nonce,
  script,
  style,
}: {
  title: string;
  nonce: string;
  script: string;
  style: string;
}): string {
  return `<!doctype html>
<html lang="en" data-theme="dark">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
<style nonce="${nonce}">${style.replaceAll('</style', '<\\/style')}</style>
</head>
<body>
<noscript>This page needs JavaScript. Its data is under the same address, at summary, traces and timeseries.</noscript>
<div id="app"></div>
<script nonce="${nonce}">${script.replaceAll('</script', '<\\/script')}</script>
</body>
</html>
`;
}
