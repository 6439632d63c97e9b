import { contentHash } from '../core/ids.js';
import type { Manifest, SourceRef } from '../core/model.js';
import { chunk } from './extract/chunk.js';
import { extract } from './extract/extract.js';
import { type Content, parse } from './parse/parse.js';
import { hashText } from './read/hash.js';
import type { RawFile } from './read/read.js';
import { textSource, titleFromName } from './sources.js';

/** Part of every content hash: raised when the same bytes are parsed or extracted otherwise than before. */
const VERSION = 'reader 3';

/** A document as it was read, before anything is parsed. */
export interface SourceDocument {
  readonly source: SourceRef;
  readonly content: Content;
  /** Recognises the same content of the same source. */
  readonly contentHash: string;
  /** Title of passages without a heading, where the document gives itself none. */
  readonly title?: string | undefined;
}

/** Returns what a document asserts: its passages, and the concepts, edges and rules found in them. */
export async function documentManifest(document: SourceDocument, signal?: AbortSignal): Promise<Manifest> {
  const parsed = await parse(document.content, signal);
  const passages = await chunk(parsed, document, signal);
  const { concepts, edges, rules } = await extract(passages, signal);
  const { source, contentHash: content_hash } = document;
  return { domain: source.domain, source, content_hash, concepts, edges, rules, passages, warnings: [] };
}

/** Returns a file as a document of `source`. Its name is the title of what has no heading. */
export function fileDocument(file: RawFile, source: SourceRef): SourceDocument {
  const title = titleFromName(file.name);
  return { source, content: file, contentHash: contentHash(`${VERSION}\n${file.type}\n${file.hash}`), title };
}

export interface TextInput {
  readonly text: string;
  readonly domain: string;
  readonly format: 'text' | 'markdown';
  /** `raw_text` for none. */
  readonly name?: string | undefined;
}

/** Returns a text of a request as a document. Its name is the title of what has no heading. */
export async function textDocument({ text, domain, format, name }: TextInput): Promise<SourceDocument> {
  const hash = await hashText(text);
  const title = titleFromName(name);
  return {
    source: textSource(domain, hash, name),
    content: { type: format, text },
    contentHash: contentHash(`${VERSION}\n${format}\n${title ?? ''}\n${hash}`),
    title,
  };
}
