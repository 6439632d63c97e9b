import { basename } from 'node:path';
import { parse } from '../../src/ingest/parse/parse.js';
import { documentType } from '../../src/ingest/read/file-type.js';

/** Returns the parts of a file, a line each: headings with their level, and what notes a part has behind it. */
export async function readParts(name: string, bytes: Uint8Array): Promise<string[]> {
  const { parts } = await parse({ name: basename(name), type: documentType(name), bytes });
  return parts.map((part) => {
    if (part.kind === 'heading') return `${part.level} ${part.text}`;
    return [part.text, ...(part.notes ?? [])].join('\n');
  });
}
