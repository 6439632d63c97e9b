import { contentHash } from '../core/ids.js';
import type { Manifest, Passage, SourceRef } from '../core/model.js';
import type { DocumentType } from '../core/wording/document-types.js';
import { beginsLikeWhatsapp } from './chats/whatsapp.js';
import { chunk } from './extract/chunk.js';
import { extract } from './extract/extract.js';
import type { ExtractionOptions, ModelExtraction } from './extract/model/model-extraction.js';
import { navigationOf } from './extract/navigation.js';
import { type Content, type ParsedDocument, parse } from './parse/parse.js';
import { belowFile } from './parse/titles/below-file.js';
import { belowTitle } from './parse/titles/below-title.js';
import { refuseUnreadText } from './parse/worker/misnamed.js';
import { withoutPageId } from './read/exported-pages.js';
import { isTypeOfName } from './read/file-type.js';
import { hashText } from './read/hash.js';
import type { RawFile } from './read/read.js';
import { textSource, titleFromName } from './sources.js';

/** Part of every content hash: raised when the same bytes are parsed or extracted otherwise than before. */
const VERSION = 'reader 11';
/** Under this one files were stored without their type. */
const UNTYPED_VERSION = 'reader 8';
/** The same for a type alone that is read otherwise since. */
const OF_TYPE: Partial<Record<DocumentType, string>> = {
  calendar: 'calendar 5',
  code: 'code 3',
  csv: 'csv 20',
  docx: 'docx 6',
  feed: 'feed 1',
  html: 'html 10',
  json: 'json 18',
  jsonl: 'jsonl 16',
  latex: 'latex 2',
  literature: 'literature 1',
  markdown: 'markdown 19',
  notebook: 'notebook 4',
  odt: 'odt 2',
  org: 'org 2',
  pdf: 'pdf 4',
  spreadsheet: 'spreadsheet 9',
  text: 'text 12',
  yaml: 'yaml 17',
};

const CHAT =
  'It looks like a chat that WhatsApp exported: as messages (svc ingest --type messages) it keeps who said what, and when. This text stays beside them until it is forgotten (svc forget FILE).';

/** A document as it was read, before anything is parsed. */
export interface SourceDocument {
  readonly source: SourceRef;
  readonly content: Content;
  /** Recognises the same content of the same source. */
  readonly contentHash: string;
  /** Title of passages without a heading, where the document gives itself none. */
  readonly title?: string | undefined;
}

/** Returns the passages of a document, in order. */
export async function documentPassages(document: SourceDocument, signal?: AbortSignal): Promise<Passage[]> {
  return (await readable(document, signal)).passages;
}

/** Types whose headings begin below the first level where the text has no title. */
const BELOW_FILE: ReadonlySet<string> = new Set<DocumentType>(['markdown', 'asciidoc']);

/** Returns what a document holds; a text of Markdown or AsciiDoc that gives itself no title stands below the name of its file, and the page of a row below its table. */
async function parsed({ content, title }: SourceDocument, signal?: AbortSignal): Promise<ParsedDocument> {
  const read = await parse(content, signal);
  if (!BELOW_FILE.has(content.type)) return read;
  const named = await belowFile(title, read);
  if (!('table' in content) || content.table === undefined) return named;
  return { ...named, parts: [...belowTitle(content.table, named.parts)] };
}

/** Returns what a document holds, its passages, and what a reader should know of them. */
async function readable(document: SourceDocument, signal: AbortSignal | undefined) {
  const read = await parsed(document, signal);
  const passages = await chunk(read, { ...document, isCode: isCode(document) }, signal);
  return { read, passages, warnings: noticed(read, passages) };
}

/** Returns what a document asserts: its passages, and the concepts, edges and rules found in them without a model. */
export async function documentManifest(document: SourceDocument, signal?: AbortSignal): Promise<Manifest> {
  const { read, passages, warnings } = await readable(document, signal);
  const { concepts, edges, rules } = isCode(document)
    ? NOTHING
    : await extract(passages, { navigation: await navigationOf(read, document, signal), signal });
  const { source, contentHash: content_hash } = document;
  return { domain: source.domain, source, content_hash, concepts, edges, rules, passages, warnings };
}

/** What is found in code: its comments are for who changes it, and state no rules for who asks. */
const NOTHING = { concepts: [], edges: [], rules: [] };

/** Returns whether a document is source code. */
export function isCode({ content }: SourceDocument): boolean {
  return content.type === 'code';
}

/** Returns what a reader should know of a document beside what it asserts. */
function noticed({ notice }: ParsedDocument, [first]: readonly Passage[]): string[] {
  return [...(notice === undefined ? [] : [notice]), ...(beginsLikeWhatsapp(first?.text ?? '') ? [CHAT] : [])];
}

/**
 * Returns what a document asserts as a language model reads it. Its content hash tells a document that the model read
 * wholly from one that is worth another try.
 */
export async function modelManifest(
  document: SourceDocument,
  { extraction, ...options }: ExtractionOptions & { readonly extraction: ModelExtraction },
): Promise<Manifest> {
  const { read, passages, warnings: noticed } = await readable(document, options.signal);
  const navigation = await navigationOf(read, document, options.signal);
  const { concepts, edges, rules, warnings, complete } = await extraction.extract(passages, { ...options, navigation });
  const { source } = document;
  const content_hash = readBy(document, extraction, complete ? '' : ' in part');
  const all = [...noticed, ...warnings];
  return { domain: source.domain, source, content_hash, concepts, edges, rules, passages, warnings: all };
}

/** Returns the content hash of a document that a model read. */
export function readBy({ contentHash: hash }: SourceDocument, { fingerprint }: ModelExtraction, how = ''): string {
  const [bare] = hash.split(' ');
  return contentHash(`${bare}\n${fingerprint}${how}`) + hash.slice(bare!.length);
}

/** Returns the type behind the content hash of a file whose name does not tell it; undefined where it was stored without. */
export function typeKept(content_hash: string): string | undefined {
  return content_hash.split(' ')[1];
}

/** Returns the content hash under which a file was stored as long as its type was not kept. */
export function untypedHash(file: RawFile): string {
  return hashBy(UNTYPED_VERSION, file);
}

function hashBy(version: string, { type, hash, table }: RawFile): string {
  const of = table === undefined ? '' : `\n${table}`;
  return contentHash(`${version}\n${OF_TYPE[type] ?? type}\n${hash}${of}`);
}

/** Returns a file as a document of `source`. Its name is the title of what has no heading. */
export function fileDocument(file: RawFile, source: SourceRef): SourceDocument {
  const title = titleFromName(withoutPageId(file.name));
  const hash = hashBy(VERSION, file);
  // Whoever reads it again without a type reads it by the same one.
  const isTyped = source.kind === 'file' && !isTypeOfName(file.name, file.type);
  return { source, content: file, contentHash: isTyped ? `${hash} ${file.type}` : hash, title };
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
  refuseUnreadText(text);
  const hash = await hashText(text);
  const title = titleFromName(name);
  return {
    source: textSource(domain, hash, name),
    content: { type: format, text },
    contentHash: contentHash(`${VERSION}\n${OF_TYPE[format] ?? format}\n${title ?? ''}\n${hash}`),
    title,
  };
}
