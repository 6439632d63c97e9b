import { documentManifest, fileDocument, type TextInput, textDocument } from '../../src/ingest/document.js';
import { type Part, sections } from '../../src/ingest/parse/parts.js';
import { read } from '../../src/ingest/read/read.js';
import { fileSource } from '../../src/ingest/sources.js';

export async function textManifest(input: TextInput, signal?: AbortSignal) {
  return documentManifest(await textDocument(input), signal);
}

export async function fileManifest(path: string) {
  const file = await read(path, { maxBytes: 1 << 26 });
  return documentManifest(fileDocument(file, fileSource('d', file)));
}

export async function sectionTexts(parts: Iterable<Part>) {
  const found: Array<{ path: string; texts: string[] }> = [];
  for await (const { path, blocks } of sections(parts)) found.push({ path, texts: blocks.map((block) => block.text) });
  return found;
}
