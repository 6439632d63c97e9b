import { moreTools } from '../src/mcp/profile.js';
import { listing } from '../src/mcp/tool-schema.js';
import { tools } from '../src/mcp/tools.js';
import { documentOf } from '../src/server/variants.js';

/** What leaves the process, derived from the rows: file under schemas/pinned → its content. */
export function pinned(): Readonly<Record<string, unknown>> {
  const name = 'svc';
  return {
    'openapi-a.json': documentOf('a', { name }),
    'openapi-b.json': documentOf('b', { name }),
    'tools.json': tools.map((tool) => listing(tool, name)),
    'tools-more.json': moreTools.map((tool) => listing(tool, name)),
  };
}

/** The text of a pinned file. */
export function pinnedText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
