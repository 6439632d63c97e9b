import { moreTools } from '../src/mcp/profile.js';
import { listing } from '../src/mcp/tool-schema.js';
import { tools } from '../src/mcp/tools.js';
import { type DocumentConfig, documentOf } from '../src/server/variants.js';

/** A service with every kind of credentials and a rate limit: its document shows the most. */
export const PROTECTED: DocumentConfig = {
  name: 'svc',
  auth: { api_keys: ['key'], keys_file: null, hmac_secret: 'secret' },
  http: { rate_limit: { per_second: 10, burst: 50 } },
};

/** What leaves the process, derived from the rows: file under schemas/pinned → its content. */
export function pinned(): Readonly<Record<string, unknown>> {
  const { name } = PROTECTED;
  return {
    'openapi-a.json': documentOf('a', PROTECTED),
    'openapi-b.json': documentOf('b', PROTECTED),
    'tools.json': tools.map((tool) => listing(tool, name)),
    'tools-more.json': moreTools.map((tool) => listing(tool, name)),
  };
}

/** The text of a pinned file. */
export function pinnedText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
