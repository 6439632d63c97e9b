import { contentHash } from '../../core/ids.js';
import type { Manifest, SourceRef } from '../../core/model.js';
import { extractPlain } from '../extract/extract-plain.js';
import { passagesOf } from '../extract/passages.js';
import { hashText } from '../read/clean-text.js';
import type { RawDocument } from '../read/read-file.js';
import { fileSource, textSource, titleFromName, uploadSource } from '../sources.js';
import { type ParsedDocument, parseDocument, parseText } from './parse-document.js';

/** Part of every content hash: raised when the same bytes are read or extracted otherwise than before. */
const READER = 'reader 2';

export interface DocumentInput {
  readonly source: SourceRef;
  readonly parsed: ParsedDocument;
  /** Hash of the whole input. */
  readonly contentHash: string;
  /** Title of passages without a heading; the document's own by default. */
  readonly title?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What a document asserts: passages, and what plain extraction finds in them. `source.domain` is its domain. */
async function documentManifest(input: DocumentInput): Promise<Manifest> {
  const title = input.title ?? input.parsed.title;
  const passages = await passagesOf(input.parsed.parts, input.source, {
    ...(title === undefined ? {} : { title }),
    ...(input.signal === undefined ? {} : { signal: input.signal }),
  });
  const found = await extractPlain(passages, input.signal);
  return {
    domain: input.source.domain,
    source: input.source,
    content_hash: input.contentHash,
    concepts: found.concepts,
    edges: found.edges,
    rules: found.rules,
    passages,
    warnings: [],
  };
}

/** Hash of a file's content as it will be read: known before anything is parsed. */
export function fileHash(raw: Pick<RawDocument, 'type' | 'hash'>): string {
  return contentHash(`${READER}\n${raw.type}\n${raw.hash}`);
}

/** What a file asserts. Its identity is its real path, or with `upload` the name it was uploaded under. */
export async function fileManifest(
  raw: RawDocument,
  domain: string,
  options: { readonly upload?: boolean; readonly signal?: AbortSignal | undefined } = {},
): Promise<Manifest> {
  const parsed = await parseDocument(raw, options.signal);
  const source = options.upload === true ? uploadSource(domain, raw.name) : fileSource(domain, raw);
  return documentManifest({ source, parsed, contentHash: fileHash(raw), signal: options.signal });
}

export interface TextInput {
  readonly text: string;
  readonly domain: string;
  readonly format: 'text' | 'markdown';
  /** `raw_text` for none. */
  readonly name?: string | undefined;
}

/** What a text of a request asserts. A name that reads as a title is the title of what has no heading. */
export async function textManifest(input: TextInput, signal?: AbortSignal): Promise<Manifest> {
  const parsed = await parseText(input.text, input.format);
  const title = parsed.title ?? titleFromName(input.name);
  const hash = await hashText(input.text);
  return documentManifest({
    source: textSource(input.domain, hash, input.name),
    parsed,
    contentHash: contentHash(`${READER}\n${input.format}\n${title ?? ''}\n${hash}`),
    title,
    signal,
  });
}
