import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SvcError } from '../core/errors.js';
import { packageRoot } from '../core/package-root.js';
import type { Context } from './route.js';

interface PageOptions {
  readonly title: string;
  /** The colours that it starts with, until a person chooses others; `system` are those that the browser prefers. */
  readonly theme: 'dark' | 'system';
}

/** Returns the handler of a page that `npm run build` made from `web/src/<name>`: one document that loads nothing else. */
export function builtPage(name: string, { title, theme }: PageOptions): (ctx: Context) => Promise<void> {
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
    ctx.body = page({ title, theme, path: ctx.path, nonce, script, style });
  };
}

/** Styles that a library adds to a page by itself: without a nonce the policy would refuse them. */
const LIBRARY_STYLES = [
  { id: '__________cytoscape_stylesheet', css: '.__________cytoscape_container { position: relative; }' },
];

const files = new Map<string, Promise<string>>();

/** Reads a file that `npm run build` made, once. */
function built(name: string): Promise<string> {
  let text = files.get(name);
  if (text === undefined) {
    text = readFile(join(packageRoot(), 'dist', 'web', name), 'utf8').catch((cause: unknown) => {
      files.delete(name);
      throw new SvcError('unavailable', 'The pages are not built; run `npm run build`.', undefined, { cause });
    });
    files.set(name, text);
  }
  return text;
}

function page({
  title,
  theme,
  path,
  nonce,
  script,
  style,
}: PageOptions & {
  path: string;
  nonce: string;
  script: string;
  style: string;
}): string {
  return `<!doctype html>
<html lang="en" data-theme="${theme}" data-path="${path}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
<style nonce="${nonce}">${style.replaceAll('</style', '<\\/style')}</style>
${LIBRARY_STYLES.map(({ id, css }) => `<style nonce="${nonce}" id="${id}">${css}</style>`).join('\n')}
</head>
<body>
<noscript>This page needs JavaScript. What it shows is described at <a href="${'../'.repeat(path.split('/').length - 2)}docs">/docs</a>.</noscript>
<div id="app"></div>
<script nonce="${nonce}">${script.replaceAll('</script', '<\\/script')}</script>
</body>
</html>
`;
}
