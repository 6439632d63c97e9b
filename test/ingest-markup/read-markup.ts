import { type ParsedDocument, parse } from '../../src/ingest/parse/parse.js';
import { documentType } from '../../src/ingest/read/file-type.js';

/** Reads a file of a name as an ingest does. */
export async function readFile(name: string, written: string | Uint8Array): Promise<ParsedDocument> {
  const bytes = typeof written === 'string' ? new TextEncoder().encode(written) : written;
  return await parse({ name, type: documentType(name), bytes });
}

/** Returns the parts of a file, each in a line: "# 2 Title" for a heading, its kind and its text for others. */
export async function linesOf(name: string, written: string | Uint8Array): Promise<string[]> {
  const { parts } = await readFile(name, written);
  return parts.map((part) => (part.kind === 'heading' ? `# ${part.level} ${part.text}` : `${part.kind}: ${part.text}`));
}
