import { documentManifest, fileDocument, type TextInput, textDocument } from '../../src/ingest/document.js';
import { read } from '../../src/ingest/read/read.js';
import { fileSource } from '../../src/ingest/sources.js';

export async function textManifest(input: TextInput, signal?: AbortSignal) {
  return documentManifest(await textDocument(input), signal);
}

export async function fileManifest(path: string) {
  const file = await read(path, { maxBytes: 1 << 26 });
  return documentManifest(fileDocument(file, fileSource('d', file)));
}
